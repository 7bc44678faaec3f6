package io.postroad.spring.boot;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Writes down what a running relay sends. */
final class RecordingSender implements MessageSender {
  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private final CountDownLatch first = new CountDownLatch(1);

  List<Message> sent() {
    return sent;
  }

  void awaitOne() throws InterruptedException {
    if (!first.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("nothing was sent");
    }
  }

  @Override
  public String name() {
    return "recording";
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(1);
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    sent.addAll(messages);
    first.countDown();
    return messages.stream()
        .<CompletionStage<SendOutcome>>map(
            each -> CompletableFuture.completedFuture(new SendOutcome.Accepted(Map.of())))
        .toList();
  }

  @Override
  public void close() {}
}
