package io.postroad.tck.contract.relay;

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

/**
 * Writes down what happens to its sessions. The first session that sends gives no outcome before it
 * is closed; later sessions accept at once.
 */
final class SilentAtFirstSender implements MessageSender {
  private final List<String> happened = new ArrayList<>();
  private int sessions;

  @Override
  public String name() {
    return "silent-at-first";
  }

  @Override
  public Duration timeout() {
    return Duration.ofMinutes(2);
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    return openSession().send(messages);
  }

  @Override
  public SendSession openSession() {
    return new Session();
  }

  @Override
  public void close() {}

  /** The opening of a session that sends, its sends and its end, over all sessions, in order. */
  synchronized List<String> happened() {
    return List.copyOf(happened);
  }

  private synchronized int opened() {
    sessions++;
    happened.add("open " + sessions);
    return sessions;
  }

  private synchronized void note(String what) {
    happened.add(what);
  }

  private final class Session implements SendSession {
    private final List<CompletableFuture<SendOutcome>> open = new ArrayList<>();
    private int number;

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      if (number == 0) {
        number = opened();
      }
      List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>();
      for (Message message : messages) {
        note(
            "send %s%d in %d"
                .formatted(message.key().orElseThrow(), message.schemaVersion(), number));
        CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
        outcomes.add(outcome);
        if (number == 1) {
          open.add(outcome);
        } else {
          outcome.complete(new SendOutcome.Accepted(Map.of()));
        }
      }
      return outcomes;
    }

    @Override
    public void close() {
      if (number == 1 && !open.isEmpty()) {
        note("close 1");
        open.forEach(outcome -> outcome.complete(new SendOutcome.Unknown("session over")));
        open.clear();
      }
    }
  }
}
