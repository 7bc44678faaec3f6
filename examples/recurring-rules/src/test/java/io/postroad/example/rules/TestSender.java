package io.postroad.example.rules;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Sends to Kafka, and refuses the events of aggregates that a test selects. */
final class TestSender implements MessageSender {
  private final MessageSender kafka;
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  TestSender(MessageSender kafka) {
    this.kafka = kafka;
  }

  void refuse(String aggregateId) {
    refused.add(aggregateId);
  }

  void accept(String aggregateId) {
    refused.remove(aggregateId);
  }

  @Override
  public String name() {
    return "test";
  }

  @Override
  public Duration timeout() {
    return kafka.timeout();
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>();
    for (Message message : messages) {
      outcomes.add(
          message.aggregateId().filter(refused::contains).isPresent()
              ? CompletableFuture.completedFuture(
                  SendOutcome.Rejected.forNow("refused by the test"))
              : kafka.send(List.of(message)).get(0));
    }
    return outcomes;
  }

  @Override
  public void close() {
    kafka.close();
  }
}
