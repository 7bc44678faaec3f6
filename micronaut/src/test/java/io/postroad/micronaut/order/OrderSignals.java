package io.postroad.micronaut.order;

import io.micronaut.context.annotation.Requires;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.process.ProcessObserver;
import io.postroad.process.ProcessSignal;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What was sent, and when a process has ended: what tests wait for. */
@Singleton
@Requires(property = "test.order")
public class OrderSignals implements MessageSender, ProcessObserver {
  private final List<Message> sent = new ArrayList<>();
  private final Map<UUID, CompletableFuture<Boolean>> ended = new ConcurrentHashMap<>();

  /** All that was sent, once one of them is such a message. */
  synchronized List<String> sentOnceThereIs(Predicate<Message> last) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (sent.stream().noneMatch(last)) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError("not sent; sent: " + described());
      }
      wait(left);
    }
    return described();
  }

  private List<String> described() {
    return sent.stream().map(each -> each.type() + " " + each.key().orElse("")).toList();
  }

  void awaitEnd(UUID process) throws Exception {
    end(process).get(60, TimeUnit.SECONDS);
  }

  private CompletableFuture<Boolean> end(UUID process) {
    return ended.computeIfAbsent(process, id -> new CompletableFuture<>());
  }

  @Override
  public void on(ProcessSignal signal) {
    if (signal instanceof ProcessSignal.Ended end) {
      end(end.processId()).complete(true);
    }
  }

  @Override
  public String name() {
    return "order-signals";
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(1);
  }

  @Override
  public synchronized List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    sent.addAll(messages);
    notifyAll();
    return messages.stream()
        .<CompletionStage<SendOutcome>>map(
            each -> CompletableFuture.completedFuture(new SendOutcome.Accepted(Map.of())))
        .toList();
  }

  @Override
  public void close() {}
}
