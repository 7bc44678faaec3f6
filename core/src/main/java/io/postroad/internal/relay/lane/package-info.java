/**
 * Moves the messages of ordered stores, one lane at a time.
 *
 * <ol>
 *   <li>{@link io.postroad.internal.relay.lane.LaneKeeper} takes the lanes that {@link
 *       io.postroad.internal.relay.lane.LaneSpread} gives this node, and renews their leases;
 *       {@link io.postroad.internal.relay.lane.Tenure} tells how long this node may act as the
 *       owner.
 *   <li>{@link io.postroad.internal.relay.lane.LaneWorker} repeats {@link
 *       io.postroad.internal.relay.lane.LaneCycle} for each lane: {@link
 *       io.postroad.internal.relay.lane.LaneReader} reads, {@link
 *       io.postroad.internal.relay.lane.LaneGate} holds back messages whose destination is closed,
 *       {@link io.postroad.internal.relay.lane.Pipe} sends in order, {@link
 *       io.postroad.internal.relay.lane.LaneWindow} keeps the messages between read and advance as
 *       {@link io.postroad.internal.relay.lane.Slot}s.
 *   <li>{@link io.postroad.internal.relay.lane.LaneFailures} blocks the keys of messages that were
 *       not accepted; {@link io.postroad.internal.relay.lane.HeldCycle} sends the messages of
 *       blocked keys when they are due, and {@link io.postroad.internal.relay.lane.HeldKeys} knows
 *       which keys these are.
 * </ol>
 */
@NullMarked
package io.postroad.internal.relay.lane;

import org.jspecify.annotations.NullMarked;
