package io.postroad.internal.relay;

import io.postroad.internal.loop.ErrorText;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import io.postroad.trace.Operation;
import io.postroad.trace.Span;
import io.postroad.trace.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Traces each send until its outcome is known. The message keeps the trace context of its creation,
 * so that the span of its handler follows the creation and not one of the sends.
 */
final class TracedSender implements MessageSender {
  private final MessageSender sender;
  private final Tracing tracing;

  private TracedSender(MessageSender sender, Tracing tracing) {
    this.sender = sender;
    this.tracing = tracing;
  }

  static MessageSender of(MessageSender sender, Tracing tracing) {
    return tracing.isOn() ? new TracedSender(sender, tracing) : sender;
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
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    return followed(sender::send, messages);
  }

  @Override
  public SendSession openSession() {
    return new TracedSession(sender.openSession());
  }

  @Override
  public SendSession openSession(String line) {
    return new TracedSession(sender.openSession(line));
  }

  @Override
  public void close() {
    sender.close();
  }

  private List<CompletionStage<SendOutcome>> followed(
      Function<List<Message>, List<CompletionStage<SendOutcome>>> handOver,
      List<Message> messages) {
    List<Span> spans =
        messages.stream().map(message -> tracing.start(Operation.send(message))).toList();
    List<CompletionStage<SendOutcome>> stages;
    try {
      stages = handOver.apply(messages);
    } catch (RuntimeException | Error failed) {
      spans.forEach(span -> end(span, new SendOutcome.Unknown(ErrorText.of(failed))));
      throw failed;
    }
    for (int i = 0; i < spans.size(); i++) {
      Span span = spans.get(i);
      if (i < stages.size()) {
        var unused = stages.get(i).whenComplete((outcome, failed) -> end(span, outcome, failed));
      } else {
        span.end();
      }
    }
    return stages;
  }

  @SuppressWarnings("NullAway") // whenComplete hands over one of the two, the other is null
  private static void end(Span span, SendOutcome outcome, Throwable failed) {
    end(span, outcome == null ? new SendOutcome.Unknown(ErrorText.of(failed)) : outcome);
  }

  private static void end(Span span, SendOutcome outcome) {
    if (outcome instanceof SendOutcome.Rejected rejected) {
      span.failed(new NotAccepted("rejected: " + rejected.error()));
    } else if (outcome instanceof SendOutcome.Unknown unknown) {
      span.failed(new NotAccepted("unknown: " + unknown.error()));
    }
    span.end();
  }

  private final class TracedSession implements SendSession {
    private final SendSession session;

    private TracedSession(SendSession session) {
      this.session = session;
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      return followed(session::send, messages);
    }

    @Override
    public void close() {
      session.close();
    }
  }

  /** Marks a span as failed; never thrown. */
  private static final class NotAccepted extends PostroadException {
    private static final long serialVersionUID = 1L;

    NotAccepted(String message) {
      super(message);
    }
  }
}
