package io.postroad.internal.relay;

import io.postroad.internal.relay.lane.Pipe;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Tells which messages got no answer although the sender accepted others that it was given later or
 * together with them. Such a message waits for a part of its destination that cannot be reached,
 * not for the destination.
 *
 * <p>It must have waited for a while since then, the patience: what is on its way while the session
 * ends has no answer either.
 */
public final class Overtaken {
  /** The patience is this part of the time after which a sender has no outcome any more. */
  private static final int PART_OF_TIMEOUT = 8;

  private final long patience;
  private final long now;

  /** When the first one was accepted of those that were handed over at a time or later. */
  private final TreeMap<Long, Long> acceptedAt = new TreeMap<>();

  private Overtaken(long patience, long now) {
    this.patience = patience;
    this.now = now;
  }

  public static Overtaken among(Stream<Pipe.Flight> flights, long now, MessageSender sender) {
    Overtaken overtaken = new Overtaken(patience(sender), now);
    flights
        .filter(flight -> flight.outcome() instanceof SendOutcome.Accepted)
        .forEach(
            flight -> overtaken.acceptedAt.merge(flight.sentAt(), flight.landedAt(now), Math::min));
    long first = Long.MAX_VALUE;
    for (var each : overtaken.acceptedAt.descendingMap().entrySet()) {
      first = Math.min(first, each.getValue());
      each.setValue(first);
    }
    return overtaken;
  }

  public static long patience(MessageSender sender) {
    return sender.timeout().toNanos() / PART_OF_TIMEOUT;
  }

  public boolean contains(Pipe.Flight flight) {
    var later = acceptedAt.ceilingEntry(flight.sentAt());
    return later != null && flight.landedAt(now) - later.getValue() >= patience;
  }
}
