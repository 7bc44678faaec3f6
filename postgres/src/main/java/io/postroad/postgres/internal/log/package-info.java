/**
 * Keeps the order of each key in a log. {@link io.postroad.postgres.internal.log.LogInsert}
 * appends. {@link io.postroad.postgres.internal.log.Lanes} decides which node owns a lane. {@link
 * io.postroad.postgres.internal.log.LaneLog} reads the lane up to a {@link
 * io.postroad.postgres.internal.log.LogPosition}, advances that position, and admits scheduled
 * messages. {@link io.postroad.postgres.internal.log.BlockedMessages} keeps the messages of blocked
 * keys. {@link io.postroad.postgres.internal.log.LogRotation} frees whole tables.
 */
@NullMarked
package io.postroad.postgres.internal.log;

import org.jspecify.annotations.NullMarked;
