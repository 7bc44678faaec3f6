package io.postroad.internal.relay.lane;

import io.postroad.internal.relay.lane.LaneSession.InFlightSend;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.util.TreeMap;

/**
 * Finds messages that got no answer although the sender accepted others that it was given later or
 * together with them. Such a message waits for a part of its destination that cannot be reached,
 * not for the destination.
 *
 * <p>A message counts only when it has waited for a while since then, the patience: messages that
 * are on their way while the session ends have no answer either.
 */
final class Overtaken {
  /** The patience is this part of the timeout of the sender. */
  private static final int PART_OF_TIMEOUT = 8;

  private final long patience;
  private final long now;

  /**
   * By time of hand-over, when the first message was accepted that was handed over then or later.
   */
  private final TreeMap<Long, Long> acceptedAt = new TreeMap<>();

  Overtaken(Iterable<LaneMessage> messages, long now, MessageSender sender) {
    this.patience = patience(sender);
    this.now = now;
    for (LaneMessage message : messages) {
      InFlightSend send = message.send();
      if (send != null && send.outcome() instanceof SendOutcome.Accepted) {
        acceptedAt.merge(send.sentAt(), send.completedAt(now), Math::min);
      }
    }
    long first = Long.MAX_VALUE;
    for (var each : acceptedAt.descendingMap().entrySet()) {
      first = Math.min(first, each.getValue());
      each.setValue(first);
    }
  }

  static long patience(MessageSender sender) {
    return sender.timeout().toNanos() / PART_OF_TIMEOUT;
  }

  boolean contains(InFlightSend send) {
    var later = acceptedAt.ceilingEntry(send.sentAt());
    return later != null && send.completedAt(now) - later.getValue() >= patience;
  }
}
