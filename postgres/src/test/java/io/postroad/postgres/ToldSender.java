package io.postroad.postgres;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Keeps what it is given, and answers as it was told. */
final class ToldSender implements MessageSender {
  private final List<Message> sent = Collections.synchronizedList(new ArrayList<>());
  private volatile SendOutcome answer = new SendOutcome.Accepted(Map.of());

  void answer(SendOutcome next) {
    answer = next;
  }

  List<Message> sent() {
    return List.copyOf(sent);
  }

  /** The payloads, which name the rows in these tests. */
  List<String> payloads() {
    return sent().stream().map(message -> message.payload().text().orElse("")).toList();
  }

  @Override
  public String name() {
    return "told";
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(5);
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>();
    for (Message message : messages) {
      sent.add(message);
      outcomes.add(CompletableFuture.completedFuture(answer));
    }
    return outcomes;
  }

  @Override
  public void close() {}
}
