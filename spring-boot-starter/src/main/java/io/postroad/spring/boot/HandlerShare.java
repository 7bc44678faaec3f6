package io.postroad.spring.boot;

import io.postroad.command.CommandBus;
import io.postroad.inbox.Inbox;
import io.postroad.outbox.OutboxRelay;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * How many handlers each part runs at once: as many as its property says, or else its share of half
 * the connection pool, ten at most. Connections of all parts are added up, because they come from
 * one pool: handlers that use it up would keep requests waiting, and the relay from renewing what
 * it owns.
 *
 * <p>Safe to use from many threads. Asked while the application starts.
 */
final class HandlerShare {
  /** What the library takes where nothing is known of the pool. */
  private static final int MOST = 10;

  /** What a part without handlers needs: it listens on one connection and works on another. */
  private static final int BESIDE_HANDLERS = 2;

  /**
   * A part with handlers.
   *
   * @param property says how many
   * @param wanted what the property says
   * @param times how often the part has as many, one of each queue
   */
  private record Part(String property, @Nullable Integer wanted, int times) {}

  private final ListableBeanFactory beans;
  private final Supplier<@Nullable Integer> connections;

  /**
   * @param connections how many the pool has; null where that is not known, or has no bound
   */
  HandlerShare(ListableBeanFactory beans, Supplier<@Nullable Integer> connections) {
    this.beans = beans;
    this.connections = connections;
  }

  /** What was given, or else the share of each part for which nothing was given. */
  int orShare(@Nullable Integer given) {
    return given == null ? share() : given;
  }

  private int share() {
    @Nullable Integer pool = connections.get();
    if (pool == null) {
      return MOST;
    }
    int given = 0;
    int open = 0;
    for (Part part : parts()) {
      given += part.wanted() == null ? 0 : part.wanted() * part.times();
      open += part.wanted() == null ? 1 : 0;
    }
    int room = Math.min(pool / 2, pool - besideHandlers()) - given;
    return Math.max(1, Math.min(MOST, room / Math.max(1, open)));
  }

  /** What is wrong with the numbers, and the way out; empty when they fit. */
  List<String> warnings() {
    @Nullable Integer pool = connections.get();
    List<String> warnings = new ArrayList<>();
    if (pool != null) {
      int handlers = 0;
      List<String> sum = new ArrayList<>();
      for (Part part : parts()) {
        int wanted = part.wanted() == null ? share() : part.wanted() * part.times();
        handlers += wanted;
        sum.add("%s=%d".formatted(part.property(), wanted));
      }
      int needed = Math.max(2 * handlers, handlers + besideHandlers());
      if (handlers > 0 && needed > pool) {
        warnings.add(
            "handlers can use up the %d connections of the pool and keep requests and the relay waiting: %d run at once (%s), beside %d connections for what sends, listens and takes; raise the pool to %d, or lower those numbers"
                .formatted(pool, handlers, String.join(", ", sum), besideHandlers(), needed));
      }
    }
    return warnings;
  }

  private int besideHandlers() {
    return BESIDE_HANDLERS
        * (count(OutboxRelay.class) + count(Inbox.class) + count(CommandBus.class));
  }

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    if (count(CommandBus.class) > 0) {
      beans
          .getBeanProvider(CommandProperties.class)
          .ifAvailable(
              commands ->
                  parts.add(new Part("postroad.commands.concurrency", commands.concurrency(), 1)));
    }
    if (count(Inbox.class) > 0) {
      beans
          .getBeanProvider(InboxProperties.class)
          .ifAvailable(
              inbox -> parts.add(new Part("postroad.inbox.concurrency", inbox.concurrency(), 1)));
    }
    if (beans.containsBean("postroadKafkaReceiver")) {
      beans
          .getBeanProvider(PostroadKafkaProperties.class)
          .ifAvailable(
              kafka ->
                  parts.add(
                      new Part(
                          "postroad.kafka.receiver.concurrency",
                          kafka.receiver().concurrency(),
                          1)));
    }
    if (beans.containsBean("postroadJmsReceiver")) {
      beans
          .getBeanProvider(PostroadJmsProperties.class)
          .ifAvailable(
              jms ->
                  parts.add(
                      new Part(
                          "postroad.jms.receiver.concurrency",
                          jms.receiver().concurrency(),
                          Math.max(1, jms.receiver().queues().size()))));
    }
    return parts;
  }

  /** One or none: nothing is made for it. */
  private int count(Class<?> part) {
    return beans.getBeanNamesForType(part, true, false).length > 0 ? 1 : 0;
  }
}
