/**
 * Contracts of ordered stores: lanes and their leases, reading, blocked keys, scheduling and
 * retention. {@link io.postroad.tck.contract.lane.LaneOwner} is a node that owns a lane.
 */
@NullMarked
package io.postroad.tck.contract.lane;

import org.jspecify.annotations.NullMarked;
