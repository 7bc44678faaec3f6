/**
 * Postroad's stores on MongoDB 6.0 or newer, over the synchronous driver.
 *
 * <p>The database decides: its clock ({@code $$NOW}) says what is due and which lease has ended, an
 * update that checks what it changes decides which node gets a message, and the pair of {@code
 * token} and {@code lease_owner} says whether a settle still counts. {@code append} runs in the
 * caller's {@link com.mongodb.client.ClientSession} and never ends its transaction; every other
 * verb runs by itself, so a crash leaves each verb done or not done.
 *
 * <p>{@link io.postroad.mongodb.MongoCompetingStore} is the way in to the queue:
 *
 * <pre>
 *  outbox                                 is
 *  new, failed                            waiting, due at due_at (= next_retry_at)
 *  processing, due_at &gt; now            claimed until then (due_at = lease_until)
 *  processing, due_at &lt;= now           lease expired, claimable
 *  done, dead                             settled at settled_at, without due_at
 * </pre>
 *
 * <p>Nothing here depends on settings of the client that is handed in: codecs, UUID representation,
 * concerns and read preference are our own.
 *
 * <p>Wake-ups between nodes are hints over a change stream; losing all of them costs latency only.
 */
@NullMarked
package io.postroad.mongodb;

import org.jspecify.annotations.NullMarked;
