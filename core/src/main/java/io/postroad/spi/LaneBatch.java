package io.postroad.spi;

import java.util.List;

/**
 * The result of one read of a lane.
 *
 * @param entries the messages, in the order in which they are to be sent; may be empty
 * @param end the position to read on from
 * @param full whether there is probably more to read right now, also when {@code entries} is empty
 */
public record LaneBatch(List<LaneEntry> entries, LanePosition end, boolean full) {
  public LaneBatch {
    entries = List.copyOf(entries);
  }
}
