package io.postroad.faults;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stands still in its first send until it is told to go on. The relay's only thread stands with it,
 * so nothing of that relay happens meanwhile, whatever else the machine is doing.
 */
final class HeldUpSender implements MessageSender {
  static final String HELD = "HELD ";

  private final MessageSender sender;
  private final HoldUp holdUp;
  private final AtomicBoolean first = new AtomicBoolean(true);
  private final CountDownLatch mayGoOn = new CountDownLatch(1);

  HeldUpSender(MessageSender sender, HoldUp holdUp) {
    this.sender = sender;
    this.holdUp = holdUp;
  }

  void goOn() {
    mayGoOn.countDown();
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    if (!first.getAndSet(false)) {
      return sender.send(messages);
    }
    return switch (holdUp) {
      case NONE -> sender.send(messages);
      case THEN_SENT -> {
        standStill(messages);
        yield sender.send(messages);
      }
      case THEN_MIXED -> sendMixed(messages);
    };
  }

  private List<CompletionStage<SendOutcome>> sendMixed(List<Message> messages) {
    Map<LateOutcome, List<Message>> dealt = LateOutcome.dealtTo(messages);
    List<CompletionStage<SendOutcome>> acknowledged =
        sendUntilAcknowledged(dealt.getOrDefault(LateOutcome.ACKNOWLEDGED_BEFORE, List.of()));
    standStill(messages);
    Map<Message, CompletionStage<SendOutcome>> outcomes = new HashMap<>();
    dealt.forEach(
        (late, part) -> {
          List<CompletionStage<SendOutcome>> ofPart =
              switch (late) {
                case ACKNOWLEDGED_BEFORE -> acknowledged;
                case SENT_AFTER -> sender.send(part);
                case UNKNOWN -> all(part, new Unknown("no connection after the hold-up"));
                case REFUSED_FOR_NOW -> all(part, Rejected.forNow("refused after the hold-up"));
                case REFUSED_FOR_GOOD -> all(part, Rejected.forGood("refused after the hold-up"));
              };
          for (int i = 0; i < part.size(); i++) {
            outcomes.put(part.get(i), ofPart.get(i));
          }
        });
    return messages.stream().map(outcomes::get).toList();
  }

  private List<CompletionStage<SendOutcome>> sendUntilAcknowledged(List<Message> part) {
    List<CompletionStage<SendOutcome>> outcomes;
    do {
      outcomes = sender.send(part);
    } while (!outcomes.stream()
        .allMatch(outcome -> outcome.toCompletableFuture().join() instanceof Accepted));
    return outcomes;
  }

  private static List<CompletionStage<SendOutcome>> all(List<Message> part, SendOutcome outcome) {
    return part.stream()
        .<CompletionStage<SendOutcome>>map(any -> CompletableFuture.completedFuture(outcome))
        .toList();
  }

  private void standStill(List<Message> messages) {
    System.out.println(HELD + messages.size());
    try {
      mayGoOn.await();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String name() {
    return "held-up-" + sender.name();
  }

  @Override
  public Duration timeout() {
    return sender.timeout();
  }

  @Override
  public void close() {
    sender.close();
  }
}
