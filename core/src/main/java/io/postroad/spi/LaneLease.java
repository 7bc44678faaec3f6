package io.postroad.spi;

import java.util.Optional;

/**
 * A lane owned under a lease. Lane and epoch prove it: every take-over raises the epoch, and
 * nothing that is done under an older one changes the database.
 *
 * @param lane which lane, from 0 on
 * @param node the owner
 * @param epoch rises with every take-over of this lane and never goes back
 * @param position up to where the lane is settled
 * @param crashedNode the owner before, if it let its lease expire; empty after a release, and when
 *     it is the first
 * @param crashes 0 after a release, 1 after an owner that made progress and let its lease expire,
 *     one more for each after it that made none
 * @param rescan why the lane is read again from further back than it was settled, and what that
 *     repeats; empty normally
 */
public record LaneLease(
    int lane,
    String node,
    long epoch,
    LanePosition position,
    Optional<String> crashedNode,
    int crashes,
    Optional<String> rescan) {}
