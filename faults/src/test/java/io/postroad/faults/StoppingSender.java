package io.postroad.faults;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A sender with {@link Point#SENT}. A message of type {@link Bookings#POISON} ends the process
 * before it is sent, like one that a driver or codec cannot bear.
 */
final class StoppingSender implements MessageSender {
  static final int POISONED = 87;

  private final MessageSender sender;
  private final StopPoints points;

  StoppingSender(MessageSender sender, StopPoints points) {
    this.sender = sender;
    this.points = points;
  }

  @Override
  public SendSession openSession() {
    SendSession session = sender.openSession();
    return new SendSession() {
      @Override
      public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
        dieOfPoison(messages);
        List<CompletionStage<SendOutcome>> outcomes = session.send(messages);
        points.reach(Point.SENT);
        return outcomes;
      }

      @Override
      public void close() {
        session.close();
      }
    };
  }

  private static void dieOfPoison(List<Message> messages) {
    if (messages.stream().anyMatch(message -> message.type().equals(Bookings.POISON))) {
      Runtime.getRuntime().halt(POISONED);
    }
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    throw new UnsupportedOperationException("an ordered relay sends through sessions only");
  }

  @Override
  public String name() {
    return sender.name();
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
