package io.postroad.outbox.sender;

import io.postroad.message.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Keeps every outcome back until the test gives it, and keeps its side of the contract: after the
 * first failure in a session nothing of it arrives any more.
 */
public final class ScriptedSender implements MessageSender {
  public static final Duration TIMEOUT = Duration.ofSeconds(15);

  /** One send of one message. */
  public record Sent(Message message, CompletableFuture<SendOutcome> outcome) {}

  /** What was handed over, in order, over all sessions; never shrinks. */
  public final List<Sent> sent = new ArrayList<>();

  public int sessions;

  @Override
  public String name() {
    return "scripted";
  }

  @Override
  public Duration timeout() {
    return TIMEOUT;
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    return openSession().send(messages);
  }

  @Override
  public SendSession openSession() {
    sessions++;
    return new Session();
  }

  @Override
  public void close() {}

  public List<String> sentTypes() {
    return sent.stream().map(each -> each.message().type()).toList();
  }

  /** The types handed over since so many. */
  public List<String> sentTypesAfter(int count) {
    return sentTypes().subList(count, sent.size());
  }

  public void accept(String type) {
    pending(type).complete(new SendOutcome.Accepted(Map.of()));
  }

  public void acceptAll() {
    List.copyOf(sent).forEach(each -> each.outcome().complete(new SendOutcome.Accepted(Map.of())));
  }

  public void reject(String type, SendOutcome.Rejected how) {
    pending(type).complete(how);
  }

  public void loseTrackOf(String type) {
    pending(type).complete(new SendOutcome.Unknown("timed out"));
  }

  /** A part of the destination, to which the key of this one belongs, cannot be reached. */
  public void cannotReachKeyOf(String type) {
    pending(type).complete(SendOutcome.Unknown.onlyItsKey("no leader"));
  }

  private CompletableFuture<SendOutcome> pending(String type) {
    return sent.stream()
        .filter(each -> each.message().type().equals(type) && !each.outcome().isDone())
        .findFirst()
        .orElseThrow(() -> new AssertionError(type + " is not in flight, but " + sentTypes()))
        .outcome();
  }

  private final class Session implements SendSession {
    private final List<CompletableFuture<SendOutcome>> inFlight = new ArrayList<>();
    private boolean over;

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      List<CompletionStage<SendOutcome>> stages = new ArrayList<>();
      for (Message message : messages) {
        CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
        stages.add(outcome);
        if (over) {
          outcome.complete(new SendOutcome.Unknown("not sent"));
        } else {
          sent.add(new Sent(message, outcome));
          inFlight.add(outcome);
          var unused = outcome.thenAccept(this::landed);
        }
      }
      return stages;
    }

    private void landed(SendOutcome outcome) {
      boolean goesOn = outcome instanceof SendOutcome.Unknown unknown && unknown.onlyItsKey();
      if (!over && !goesOn && !(outcome instanceof SendOutcome.Accepted)) {
        close();
      }
    }

    @Override
    public void close() {
      over = true;
      List.copyOf(inFlight)
          .forEach(outcome -> outcome.complete(new SendOutcome.Unknown("session over")));
    }
  }
}
