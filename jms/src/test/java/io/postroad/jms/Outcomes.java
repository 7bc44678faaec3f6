package io.postroad.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Again;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for outcomes, and checks their kind. */
final class Outcomes {
  static final int ATTEMPTS = 20;

  private Outcomes() {}

  static List<SendOutcome> send(MessageSender sender, List<Message> messages) {
    return await(sender, sender.send(messages));
  }

  static SendOutcome sendOne(MessageSender sender, Message message) {
    return send(sender, List.of(message)).get(0);
  }

  /**
   * Sends until all messages are accepted, as a relay does, because short timeouts may pass on a
   * busy machine. Each attempt and the number of attempts are bounded.
   */
  static void sendUntilAccepted(MessageSender sender, Message... messages) {
    List<SendOutcome> outcomes = List.of();
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      outcomes = send(sender, List.of(messages));
      if (outcomes.stream().allMatch(Accepted.class::isInstance)) {
        return;
      }
    }
    throw new AssertionError("not accepted after " + ATTEMPTS + " tries: " + outcomes);
  }

  /** Returns all outcomes; fails the test if they are not complete within the sender's timeout. */
  static List<SendOutcome> await(MessageSender sender, List<CompletionStage<SendOutcome>> stages) {
    List<SendOutcome> outcomes = new ArrayList<>();
    for (CompletionStage<SendOutcome> stage : stages) {
      outcomes.add(await(stage, sender.timeout()));
    }
    return outcomes;
  }

  private static SendOutcome await(CompletionStage<SendOutcome> stage, Duration atMost) {
    try {
      return stage.toCompletableFuture().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new AssertionError("no outcome within the sender's timeout of " + atMost, late);
    } catch (Exception e) {
      throw new AssertionError("a stage must complete with an outcome, not with an exception", e);
    }
  }

  static Accepted accepted(SendOutcome outcome) {
    assertThat(outcome).isInstanceOf(Accepted.class);
    return (Accepted) outcome;
  }

  static String rejectedForGood(SendOutcome outcome) {
    assertThat(outcome).isInstanceOf(Rejected.class);
    assertThat(((Rejected) outcome).again()).isEqualTo(Again.NEVER);
    return ((Rejected) outcome).error();
  }

  static String unknown(SendOutcome outcome) {
    assertThat(outcome).isInstanceOf(Unknown.class);
    return ((Unknown) outcome).error();
  }
}
