/**
 * Runs statements. {@link io.postroad.postgres.internal.jdbc.Database} borrows a connection for the
 * statements of the store itself; {@link io.postroad.postgres.internal.jdbc.JoinedStatement} joins
 * the transaction of a caller, and {@link io.postroad.postgres.internal.jdbc.LateWrites} sends
 * several of them in one round trip. {@link io.postroad.postgres.internal.jdbc.JdbcTransactions}
 * opens transactions for services without a framework. {@link
 * io.postroad.postgres.internal.jdbc.NotifyChannel} wakes other nodes. {@link
 * io.postroad.postgres.internal.jdbc.SqlErrors} says which errors mean what.
 */
@NullMarked
package io.postroad.postgres.internal.jdbc;

import org.jspecify.annotations.NullMarked;
