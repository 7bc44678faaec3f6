package io.postroad.spi;

import io.postroad.message.Message;

/**
 * A message read from a lane.
 *
 * @param claim the message as its first attempt; the token is its place in the lane
 * @param position the lane's position once this message and all that were read before it are
 *     settled
 */
public record LaneEntry(Claim claim, LanePosition position) {

  public Message message() {
    return claim.message();
  }
}
