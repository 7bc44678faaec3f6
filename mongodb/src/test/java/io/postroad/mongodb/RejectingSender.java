package io.postroad.mongodb;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Rejects everything, and counts. */
public final class RejectingSender implements MessageSender {
  private final AtomicInteger sent = new AtomicInteger();

  public int sent() {
    return sent.get();
  }

  @Override
  public String name() {
    return "rejecting";
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(10);
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    sent.addAndGet(messages.size());
    return messages.stream()
        .<CompletionStage<SendOutcome>>map(
            message -> CompletableFuture.completedFuture(SendOutcome.Rejected.forNow("still no")))
        .toList();
  }

  @Override
  public void close() {}
}
