/**
 * Postroad's stores on PostgreSQL 16 or newer, over plain JDBC.
 *
 * <p>The database decides: its clock says what is due and which lease has ended, row locks with
 * {@code SKIP LOCKED} decide which node gets a message, and the pair of {@code lease_token} and
 * {@code lease_owner} says whether a settle still counts. {@code append} runs on the caller's
 * connection and never ends its transaction; every other verb borrows a connection of its own and
 * is one statement, committed by itself, so a crash leaves each verb done or not done.
 *
 * <pre>
 *  row                                         is
 *  PENDING, lease_owner null                   waiting, due at available_at
 *  PENDING, aside_at set                       waiting until its destination is opened
 *  PENDING, lease_owner set, available_at &gt; now   claimed until then (PROCESSING)
 *  PENDING, lease_owner set, available_at &lt;= now  lease expired, claimable
 *  DISPATCHED, FAILED                          settled at settled_at
 * </pre>
 *
 * <p>{@link io.postroad.postgres.PostgresCompetingStore} is the way in to that queue, {@link
 * io.postroad.postgres.PostgresOrderedStore} to the log beside it:
 *
 * <pre>
 *  outbox_log_0..2   messages, only inserted; their place is drawn after their transaction's number
 *  outbox_cursor     how far each lane is settled: a place and what could be seen there
 *  outbox_lane       the owner of each lane and the end of its lease; outbox_awake is the fence, gone after a crash
 *  outbox_held       messages that a lane has passed undelivered, outbox_held_key why they wait
 *  outbox_scheduled  messages that are not due; they get their place in the log when they are
 * </pre>
 *
 * <p>Both have outbox_pause, the destinations that people have paused, and outbox_audit, what
 * people decided.
 *
 * <p>{@link io.postroad.postgres.PostgresInboxStore} keeps which handler has had which message,
 * {@link io.postroad.postgres.PostgresCommandStore} commands, whose rows say in their status what
 * becomes of them, and {@link io.postroad.postgres.PostgresProcessStore} processes, whose rows are
 * locked by the transaction that moves them.
 *
 * <p>Wake-ups between nodes are hints over LISTEN/NOTIFY; losing all of them costs latency only.
 */
@NullMarked
package io.postroad.postgres;

import org.jspecify.annotations.NullMarked;
