package io.postroad.command;

import io.postroad.engine.BackgroundLoop;
import io.postroad.engine.Pace;
import io.postroad.engine.Waiter;
import io.postroad.store.CommandStore;
import io.postroad.store.StoredCommand;
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
 * Those who wait for replies on this node. A reply that was written here completes them at once; of
 * those that another node writes, the store is asked, for as long as somebody waits.
 *
 * <p>Safe to use from many threads. Nothing here survives a crash; the reply does, in the store.
 */
final class ReplyFutures<T> implements BackgroundLoop.Pass {
  private static final Duration SOONEST = Duration.ofMillis(10);
  private static final Duration LATEST = Duration.ofMillis(500);
  private static final int STEP = 1_000;

  private final CommandStore<T> store;
  private final Outcomes outcomes;
  private final CommandOptions options;
  private final CommandNews news;
  private final Map<UUID, Set<CompletableFuture<CommandReply>>> waiting = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final Waiter waiter = new Waiter();
  private final Pace pace = new Pace(SOONEST, LATEST, new SplittableRandom());

  ReplyFutures(
      CommandStore<T> store, Outcomes outcomes, CommandOptions options, CommandNews news) {
    this.store = store;
    this.outcomes = outcomes;
    this.options = options;
    this.news = news;
  }

  Waiter waiter() {
    return waiter;
  }

  /** A future of the caller's own: whatever it does to it, others that wait do not notice. */
  CompletableFuture<CommandReply> await(UUID commandId) {
    if (count.incrementAndGet() > options.maxAwaited()) {
      count.decrementAndGet();
      throw new IllegalStateException(
          "%d replies are waited for on this node already; raise CommandOptions.maxAwaited, or give"
                  .formatted(options.maxAwaited())
              + " commands a deadline with within(..)");
    }
    CompletableFuture<CommandReply> future = new CompletableFuture<>();
    waiting.compute(
        commandId,
        (id, others) -> {
          Set<CompletableFuture<CommandReply>> all =
              others == null ? ConcurrentHashMap.newKeySet() : others;
          all.add(future);
          return all;
        });
    var unused = future.whenComplete((reply, failure) -> remove(commandId, future));
    waiter.signal();
    return future;
  }

  private void remove(UUID commandId, CompletableFuture<CommandReply> future) {
    count.decrementAndGet();
    waiting.computeIfPresent(
        commandId,
        (id, all) -> {
          all.remove(future);
          return all.isEmpty() ? null : all;
        });
  }

  /** Completes those that wait for this command, on other threads: theirs may block. */
  void complete(CommandReply reply) {
    for (CompletableFuture<CommandReply> future :
        List.copyOf(waiting.getOrDefault(reply.commandId(), Set.of()))) {
      var unused = future.completeAsync(() -> reply);
    }
  }

  @Override
  public Duration runOnce() {
    if (waiting.isEmpty()) {
      pace.reset();
      return options.sweepEvery();
    }
    List<UUID> ids = new ArrayList<>(waiting.keySet());
    for (int from = 0; from < ids.size(); from += STEP) {
      List<UUID> some = ids.subList(from, Math.min(ids.size(), from + STEP));
      List<StoredCommand> ended = news.ask("finished", () -> store.finished(some));
      ended.forEach(command -> outcomes.reply(command).ifPresent(this::complete));
    }
    return pace.next();
  }

  /** Nobody will answer any more. */
  void close() {
    IllegalStateException closed =
        new IllegalStateException(
            "the command bus was closed before the reply came; read it later with findReply(id)");
    waiting
        .values()
        .forEach(all -> List.copyOf(all).forEach(future -> future.completeExceptionally(closed)));
  }
}
