package io.postroad.faults;

import io.postroad.inbox.HandlerContext;
import io.postroad.inbox.MessageHandler;
import io.postroad.inbox.RetryableFailure;
import io.postroad.message.Message;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes the effect of a message. One in twelve of each key fails after that, {@value #STUMBLES}
 * times in each process.
 */
final class StumblingHandler<T> implements MessageHandler<T> {
  private static final int ONE_IN = 12;
  private static final int STUMBLES = 2;

  private final Effects<T> effects;
  private final Map<UUID, Integer> attempts = new ConcurrentHashMap<>();

  StumblingHandler(Effects<T> effects) {
    this.effects = effects;
  }

  @Override
  public void handle(Message message, HandlerContext<T> context) throws Exception {
    effects.add(context.transaction(), message);
    int place = message.key().orElseThrow().hashCode() + Effects.numberOf(message);
    if (Math.floorMod(place, ONE_IN) == 0
        && attempts.merge(message.id(), 1, Integer::sum) <= STUMBLES) {
      throw new RetryableFailure("stumbled over message " + message.id());
    }
  }
}
