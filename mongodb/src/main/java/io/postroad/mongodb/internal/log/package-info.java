/**
 * Keeps the order of each key in a log. {@link io.postroad.mongodb.internal.log.SequenceNumbers}
 * draws the places of messages, {@link io.postroad.mongodb.internal.log.LogInsert} appends, {@link
 * io.postroad.mongodb.internal.log.LaneLog} reads up to a {@link
 * io.postroad.mongodb.internal.log.LogPosition} and advances it. {@link
 * io.postroad.mongodb.internal.log.Lanes} decides which node owns a lane and {@link
 * io.postroad.mongodb.internal.log.Fence} lets only its owner write. {@link
 * io.postroad.mongodb.internal.log.GapCloser} closes places that no transaction used. {@link
 * io.postroad.mongodb.internal.log.BlockedMessages} keeps the messages of blocked keys, {@link
 * io.postroad.mongodb.internal.log.Schedule} those that are not due.
 */
@NullMarked
package io.postroad.mongodb.internal.log;

import org.jspecify.annotations.NullMarked;
