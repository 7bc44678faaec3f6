/**
 * Holds the rules that every store follows, as pure functions and values: {@link
 * io.postroad.internal.store.LaneOwnership} (which node may take a lane), {@link
 * io.postroad.internal.store.BlockedTurn} (which blocked messages are taken next), {@link
 * io.postroad.internal.store.Deduplication} (which messages of an append are duplicates), {@link
 * io.postroad.internal.store.SchemaCheck} with {@link io.postroad.internal.store.SchemaFile}
 * (whether an installed schema fits). {@link io.postroad.internal.store.ThreadTransactions} and
 * {@link io.postroad.internal.store.UnitOfWork} record the state of a transaction and its actions
 * after the commit. Stores read and write. PostgreSQL takes blocked messages in one statement, so
 * it repeats the rule of {@code BlockedTurn} in SQL; the contracts of the TCK hold for both.
 */
@NullMarked
package io.postroad.internal.store;

import org.jspecify.annotations.NullMarked;
