/**
 * Contracts of append, claim, settle, transactions, retention and schema, for every kind of outbox
 * store.
 */
@NullMarked
package io.postroad.tck.contract.outbox;

import org.jspecify.annotations.NullMarked;
