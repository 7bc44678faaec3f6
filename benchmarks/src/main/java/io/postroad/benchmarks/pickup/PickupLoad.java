package io.postroad.benchmarks.pickup;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandRequest;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.process.BaseProcessManager;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Submits messages, commands and processes at a steady rate, and checks in the database which of
 * them are done. For one thread.
 */
final class PickupLoad<T> implements AutoCloseable {
  private static final long EVERY_MILLIS = 50;

  /** Enough at a time for the failing node to run some of them. */
  private static final int COMMANDS = 5;

  private static final Duration AFTER_THE_FAULT = Duration.ofSeconds(2);
  private static final Duration GIVES_UP_AFTER = Duration.ofMinutes(4);

  private final PickupStores<T> stores;
  private final Outbox<T> outbox;
  private final CommandBus<T> bus;
  private final BaseProcessManager<T> manager;
  private final Map<PickupKind, Map<UUID, Long>> open = new EnumMap<>(PickupKind.class);
  private final Map<PickupKind, Duration> longest = new EnumMap<>(PickupKind.class);
  private long number;

  /** Starts without work; neither bus nor manager runs here. */
  PickupLoad(PickupStores<T> stores) {
    this.stores = stores;
    this.outbox = Outbox.over(stores.outbox());
    this.bus = PickupWork.bus(stores, "load").build();
    this.manager = PickupWork.manager(stores, "load");
    for (PickupKind kind : PickupKind.values()) {
      open.put(kind, new LinkedHashMap<>());
      longest.put(kind, Duration.ZERO);
    }
  }

  /** Submits work for a time, and forgets finished work. */
  void runFor(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      handIn();
      look(Long.MAX_VALUE);
      TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
    }
  }

  /**
   * Submits work for a short time more and waits until all is done.
   *
   * @return for each kind the longest time from this call, or from a later submission, until the
   *     work was seen to be done
   */
  Map<PickupKind, Duration> longestWaits() throws InterruptedException {
    long began = System.nanoTime();
    while (isOpen()) {
      Duration passed = Duration.ofNanos(System.nanoTime() - began);
      if (passed.compareTo(GIVES_UP_AFTER) > 0) {
        throw new IllegalStateException("not done after %s: %s".formatted(passed, open));
      }
      if (passed.compareTo(AFTER_THE_FAULT) < 0) {
        handIn();
      }
      look(began);
      TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
    }
    return longest;
  }

  private boolean isOpen() {
    return open.values().stream().anyMatch(pieces -> !pieces.isEmpty());
  }

  private void handIn() {
    number++;
    Message message = Message.event("Packed").to("trips").key("key-" + number).json("{}").build();
    try {
      stores.outbox().transactions().run(transaction -> outbox.append(transaction, message));
      stores.outbox().wakeUps().signal();
      handedIn(PickupKind.LANE, message.id());
      for (int part = 0; part < COMMANDS; part++) {
        String key = "pack-%d-%d".formatted(number, part);
        handedIn(
            PickupKind.COMMAND,
            bus.accept(CommandRequest.of("Pack", key, key, "{\"number\":%d}".formatted(number))));
      }
      handedIn(
          PickupKind.STEP,
          manager.startProcess(PickupWork.PROCESS, "trip-" + number, Map.of("number", number)));
    } catch (RuntimeException down) {
      // The database restarts, so this work was not submitted.
    }
  }

  private void handedIn(PickupKind kind, UUID id) {
    pieces(kind).put(id, System.nanoTime());
  }

  private Map<UUID, Long> pieces(PickupKind kind) {
    return open.getOrDefault(kind, Map.of());
  }

  /** Removes finished work; waits are measured from {@code since} on. */
  private void look(long since) {
    for (PickupKind kind : PickupKind.values()) {
      Iterator<Map.Entry<UUID, Long>> pieces = pieces(kind).entrySet().iterator();
      while (pieces.hasNext()) {
        Map.Entry<UUID, Long> piece = pieces.next();
        if (isDone(kind, piece.getKey())) {
          pieces.remove();
          if (since != Long.MAX_VALUE) {
            long from = Math.max(since, piece.getValue());
            Duration wait = Duration.ofNanos(System.nanoTime() - from);
            longest.merge(kind, wait, (a, b) -> a.compareTo(b) >= 0 ? a : b);
          }
        }
      }
    }
  }

  private boolean isDone(PickupKind kind, UUID id) {
    try {
      return switch (kind) {
        case LANE ->
            stores
                .outbox()
                .find(id)
                .map(StoredMessage::status)
                .filter(status -> status != MessageStatus.DISPATCHED)
                .isEmpty();
        case COMMAND ->
            stores.commands().find(id).filter(command -> !command.status().isFinished()).isEmpty();
        case STEP ->
            stores.processes().queries().find(id).filter(process -> process.isActive()).isEmpty();
      };
    } catch (RuntimeException down) {
      return false;
    }
  }

  @Override
  public void close() {
    manager.close();
    bus.close();
  }
}
