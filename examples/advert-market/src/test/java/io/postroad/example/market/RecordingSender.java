package io.postroad.example.market;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records its messages, and returns the outcomes that the test sets. */
public final class RecordingSender implements MessageSender {
  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private final List<String> lanes = new CopyOnWriteArrayList<>();
  private volatile SendOutcome answer = new SendOutcome.Accepted(Map.of());
  private volatile Runnable before = () -> {};

  public void answer(SendOutcome next) {
    answer = next;
  }

  /** Runs an action at each call, before anything is sent. */
  public void before(Runnable action) {
    before = action;
  }

  public List<Message> sent() {
    return List.copyOf(sent);
  }

  public List<String> keys() {
    return sent.stream().map(message -> message.deduplicationKey().orElse("none")).toList();
  }

  @Override
  public String name() {
    return "recording";
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(16);
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    before.run();
    sent.addAll(messages);
    List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>();
    messages.forEach(message -> outcomes.add(CompletableFuture.completedFuture(answer)));
    return outcomes;
  }

  /** Returns the lanes of the opened sessions; empty text for a session without a lane. */
  public List<String> lanes() {
    return List.copyOf(lanes);
  }

  @Override
  public SendSession openSession() {
    return openSession("");
  }

  @Override
  public SendSession openSession(String lane) {
    lanes.add(lane);
    return MessageSender.super.openSession();
  }

  @Override
  public void close() {}
}
