/**
 * Adds to the transactions of a framework what Postroad needs: {@link
 * io.postroad.framework.internal.transaction.TransactionCompletion} runs the actions after a
 * commit, {@link io.postroad.framework.internal.transaction.PostgresState} reads the state of a
 * connection, {@link io.postroad.framework.internal.transaction.MongoRuns} repeats transactions and
 * commits on MongoDB.
 */
@NullMarked
package io.postroad.framework.internal.transaction;

import org.jspecify.annotations.NullMarked;
