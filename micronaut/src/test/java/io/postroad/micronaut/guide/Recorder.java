package io.postroad.micronaut.guide;

import io.micronaut.context.annotation.Requires;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.process.ProcessObserver;
import io.postroad.process.ProcessSignal;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** What is sent instead of to a broker, and the signals that tests wait for. */
final class Recorder {
  private Recorder() {}

  @Singleton
  @Requires(env = "guide")
  static class Sent implements MessageSender {
    final List<Message> messages = new CopyOnWriteArrayList<>();

    @Override
    public String name() {
      return "sent";
    }

    @Override
    public Duration timeout() {
      return Duration.ofSeconds(1);
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> more) {
      messages.addAll(more);
      return more.stream()
          .<CompletionStage<SendOutcome>>map(
              each -> CompletableFuture.completedFuture(new SendOutcome.Accepted(Map.of())))
          .toList();
    }

    @Override
    public void close() {}
  }

  /** Tells when a process has ended. */
  @Singleton
  @Requires(env = "guide")
  static class Endings implements ProcessObserver {
    private final Map<UUID, CompletableFuture<Boolean>> ended = new ConcurrentHashMap<>();

    @Override
    public void on(ProcessSignal signal) {
      if (signal instanceof ProcessSignal.Ended end) {
        of(end.processId()).complete(true);
      }
    }

    void await(UUID processId) throws Exception {
      of(processId).get(60, TimeUnit.SECONDS);
    }

    private CompletableFuture<Boolean> of(UUID processId) {
      return ended.computeIfAbsent(processId, id -> new CompletableFuture<>());
    }
  }
}
