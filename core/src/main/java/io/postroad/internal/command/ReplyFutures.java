package io.postroad.internal.command;

import io.postroad.command.CommandOptions;
import io.postroad.command.CommandReply;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Waiter;
import io.postroad.spi.CommandStore;
import io.postroad.spi.StoredCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The futures of callers on this node that wait for replies. A reply that is written here completes
 * them at once. While futures are open, the store is polled for replies that other nodes write.
 *
 * <p>Safe to use from many threads. A crash loses the futures; the replies stay in the store.
 */
public final class ReplyFutures<T> implements BackgroundLoop.Pass {
  private static final Duration SOONEST = Duration.ofMillis(10);
  private static final Duration LATEST = Duration.ofMillis(500);
  private static final int STEP = 1_000;

  private final CommandStore<T> store;
  private final Outcomes outcomes;
  private final CommandOptions options;
  private final CommandEvents events;
  private final Map<UUID, Set<Waiting>> waiting = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final Waiter waiter = new Waiter();
  private volatile boolean isNew;
  private volatile boolean closed;
  private final Pace pace = new Pace(SOONEST, LATEST, new SplittableRandom());

  public ReplyFutures(
      CommandStore<T> store, Outcomes outcomes, CommandOptions options, CommandEvents events) {
    this.store = store;
    this.outcomes = outcomes;
    this.options = options;
    this.events = events;
  }

  public Waiter waiter() {
    return waiter;
  }

  /** Returns a future of the caller's own: completing or cancelling it affects no other. */
  public CompletableFuture<CommandReply> await(UUID commandId) {
    if (count.incrementAndGet() > options.maxAwaited()) {
      count.decrementAndGet();
      throw new IllegalStateException(
          "%d replies are waited for on this node already; raise CommandOptions.maxAwaited, or give"
                  .formatted(options.maxAwaited())
              + " commands a deadline with within(..)");
    }
    Waiting place = new Waiting(new CompletableFuture<>());
    waiting.compute(
        commandId,
        (id, others) -> {
          Set<Waiting> all = others == null ? ConcurrentHashMap.newKeySet() : others;
          all.add(place);
          return all;
        });
    var unused = place.future.whenComplete((reply, failure) -> remove(commandId, place));
    if (closed) {
      place.future.completeExceptionally(wasClosed());
    }
    isNew = true;
    waiter.signal();
    return place.future;
  }

  private void remove(UUID commandId, Waiting place) {
    count.decrementAndGet();
    waiting.computeIfPresent(
        commandId,
        (id, all) -> {
          all.remove(place);
          return all.isEmpty() ? null : all;
        });
  }

  /** Completes the futures of this command, on other threads: their callbacks may block. */
  public void complete(CommandReply reply) {
    for (Waiting place : List.copyOf(waiting.getOrDefault(reply.commandId(), Set.of()))) {
      var unused = place.future.completeAsync(() -> reply);
    }
  }

  /** Completes the futures of a command that was cancelled, and tells observers. */
  public void cancelled(StoredCommand command) {
    outcomes.reply(command).ifPresent(this::complete);
    events.cancelled(command.command());
  }

  @Override
  public Duration runOnce() {
    if (waiting.isEmpty()) {
      pace.reset();
      return options.sweepEvery();
    }
    if (isNew) {
      isNew = false;
      pace.reset();
    }
    List<UUID> ids = new ArrayList<>(waiting.keySet());
    for (int from = 0; from < ids.size(); from += STEP) {
      List<UUID> some = ids.subList(from, Math.min(ids.size(), from + STEP));
      poll(some);
    }
    return pace.next();
  }

  /** Completes the futures of ended commands. An unreadable row must not hold up the others. */
  private void poll(List<UUID> ids) {
    List<StoredCommand> ended;
    try {
      ended = events.ask("finished", () -> store.finished(ids));
    } catch (RuntimeException failed) {
      if (ErrorText.causes(failed).stream().anyMatch(store::isTransient)) {
        throw failed;
      }
      isolate(ids, failed);
      return;
    }
    for (StoredCommand command : ended) {
      try {
        outcomes.reply(command).ifPresent(this::complete);
      } catch (RuntimeException unreadable) {
        fail(command.id(), unreadable);
      }
    }
  }

  private void isolate(List<UUID> ids, RuntimeException failed) {
    if (ids.size() == 1) {
      fail(ids.get(0), failed);
    } else {
      poll(ids.subList(0, ids.size() / 2));
      poll(ids.subList(ids.size() / 2, ids.size()));
    }
  }

  /** Fails the futures of a command whose row was edited into something that is no reply. */
  private void fail(UUID commandId, RuntimeException unreadable) {
    IllegalStateException failure =
        new IllegalStateException(
            "the reply of command %s cannot be read; look at its row".formatted(commandId),
            unreadable);
    for (Waiting place : List.copyOf(waiting.getOrDefault(commandId, Set.of()))) {
      place.future.completeExceptionally(failure);
    }
  }

  /** Fails all futures: no reply will complete them any more. */
  public void close() {
    closed = true;
    waiting
        .values()
        .forEach(
            all ->
                List.copyOf(all).forEach(place -> place.future.completeExceptionally(wasClosed())));
  }

  private static IllegalStateException wasClosed() {
    return new IllegalStateException(
        "the command bus was closed before the reply came; read it later with findReply(id)");
  }

  /** One future; two of them are never equal. */
  private static final class Waiting {
    private final CompletableFuture<CommandReply> future;

    Waiting(CompletableFuture<CommandReply> future) {
      this.future = future;
    }
  }
}
