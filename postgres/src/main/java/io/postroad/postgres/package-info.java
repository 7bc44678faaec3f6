/**
 * Postroad's stores on PostgreSQL 16 or newer, over plain JDBC.
 *
 * <p>The database decides: its clock says what is due and which lease has ended, row locks with
 * {@code SKIP LOCKED} say who gets a message, and the pair of {@code lease_token} and {@code
 * lease_owner} says whether a settle still counts. {@code append} runs on the caller's connection
 * and never ends its transaction; every other verb borrows a connection of its own and is one
 * statement, committed by itself, so a crash leaves each verb done or not done.
 *
 * <pre>
 *  row                                         is
 *  PENDING, lease_owner null                   waiting, due at available_at
 *  PENDING, lease_owner set, available_at &gt; now   claimed until then (PROCESSING)
 *  PENDING, lease_owner set, available_at &lt;= now  lease expired, claimable
 *  DISPATCHED, FAILED                          settled at settled_at
 * </pre>
 *
 * <p>{@link io.postroad.postgres.PostgresCompetingStore} is the way in. Wake-ups between nodes are
 * hints over LISTEN/NOTIFY; losing all of them costs latency only.
 */
@NullMarked
package io.postroad.postgres;

import org.jspecify.annotations.NullMarked;
