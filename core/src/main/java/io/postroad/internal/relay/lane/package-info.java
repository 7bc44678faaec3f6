/**
 * Moves the messages of ordered stores, one lane at a time.
 *
 * <ol>
 *   <li>{@link io.postroad.internal.relay.lane.OrderedEngine} takes the lanes that {@link
 *       io.postroad.internal.relay.lane.LaneSpread} gives this node, and renews their leases.
 *       {@link io.postroad.internal.relay.lane.LaneDeadline} says until when this node may act as
 *       the owner.
 *   <li>{@link io.postroad.internal.relay.lane.LaneWorker} repeats {@link
 *       io.postroad.internal.relay.lane.LaneCycle} for each {@link
 *       io.postroad.internal.relay.lane.OwnedLane}. {@link
 *       io.postroad.internal.relay.lane.LaneState} is its state: position, send window, blocked
 *       keys, blocked destinations.
 *   <li>{@link io.postroad.internal.relay.lane.LaneReader} reads the next batch. {@link
 *       io.postroad.internal.relay.lane.LaneAdmission} answers for each {@link
 *       io.postroad.internal.relay.lane.LaneMessage} whether it may be sent now, and if not, why.
 *   <li>{@link io.postroad.internal.relay.lane.LaneSends} sends in order through a {@link
 *       io.postroad.internal.relay.lane.LaneSession}, and settles messages by their outcomes. It
 *       blocks the keys of messages that were not accepted. The cycle then writes blocked messages
 *       and position with one advance.
 *   <li>{@link io.postroad.internal.relay.lane.BlockedCycle} sends blocked messages when they are
 *       due, and frees a key after its last message. {@link
 *       io.postroad.internal.relay.lane.BlockedDestinations} releases the messages of a destination
 *       that answers again.
 * </ol>
 */
@NullMarked
package io.postroad.internal.relay.lane;

import org.jspecify.annotations.NullMarked;
