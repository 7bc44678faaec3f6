package io.postroad.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;

class SequentialSessionTest {
  private static final SendOutcome ACCEPTED = new SendOutcome.Accepted(Map.of());

  private final Sender sender = new Sender();
  private final SendSession session = sender.openSession();

  @Test
  void aCallWaitsUntilTheOneBeforeItWasAccepted() {
    session.send(messages("A", "B"));
    session.send(messages("C"));
    assertThat(sender.types()).containsExactly("A", "B");

    sender.outcomes.get(0).complete(ACCEPTED);
    assertThat(sender.types()).containsExactly("A", "B");
    sender.outcomes.get(1).complete(ACCEPTED);
    assertThat(sender.types()).containsExactly("A", "B", "C");
  }

  @Test
  void afterAFailureNothingMoreIsHandedOver() {
    session.send(messages("A"));
    List<CompletionStage<SendOutcome>> second = session.send(messages("B"));

    sender.outcomes.get(0).complete(SendOutcome.Rejected.forNow("no"));
    List<CompletionStage<SendOutcome>> third = session.send(messages("C"));

    assertThat(sender.types()).containsExactly("A");
    assertThat(List.of(outcome(second), outcome(third)))
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(SendOutcome.Unknown.class));
  }

  @Test
  void aSenderThatThrowsIsAFailure() {
    sender.broken = true;
    List<CompletionStage<SendOutcome>> first = session.send(messages("A"));
    sender.broken = false;
    session.send(messages("B"));

    assertThat(outcome(first)).isInstanceOf(SendOutcome.Unknown.class);
    assertThat(sender.types()).isEmpty();
  }

  @Test
  void aClosedSessionHandsNothingOverEvenIfItWaited() {
    session.send(messages("A"));
    List<CompletionStage<SendOutcome>> second = session.send(messages("B"));

    session.close();
    sender.outcomes.get(0).complete(ACCEPTED);

    assertThat(sender.types()).containsExactly("A");
    assertThat(outcome(second)).isInstanceOf(SendOutcome.Unknown.class);
  }

  private static SendOutcome outcome(List<CompletionStage<SendOutcome>> stages) {
    assertThat(stages).hasSize(1);
    CompletableFuture<SendOutcome> stage = stages.get(0).toCompletableFuture();
    assertThat(stage).isDone();
    return stage.join();
  }

  private static List<Message> messages(String... types) {
    List<Message> messages = new ArrayList<>();
    for (String type : types) {
      messages.add(Message.event(type).to("orders").key("k").json("{}").build());
    }
    return messages;
  }

  private static final class Sender implements MessageSender {
    private final List<Message> sent = new ArrayList<>();
    private final List<CompletableFuture<SendOutcome>> outcomes = new ArrayList<>();
    private boolean broken;

    List<String> types() {
      return sent.stream().map(Message::type).toList();
    }

    @Override
    public String name() {
      return "test";
    }

    @Override
    public Duration timeout() {
      return Duration.ofSeconds(1);
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      if (broken) {
        throw new IllegalStateException("broken");
      }
      List<CompletionStage<SendOutcome>> stages = new ArrayList<>();
      for (Message message : messages) {
        CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
        sent.add(message);
        outcomes.add(outcome);
        stages.add(outcome);
      }
      return stages;
    }

    @Override
    public void close() {}
  }
}
