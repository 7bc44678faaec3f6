package io.postroad.internal.relay;

import io.postroad.message.Message;
import io.postroad.trace.Operation;
import io.postroad.trace.Span;
import io.postroad.trace.Tracing;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds the trace context of their creation to the messages of one append. A message that has a
 * context keeps it: it was created elsewhere. Used by one thread.
 */
public final class Creations {
  private final List<Message> messages;
  private final List<Span> spans;

  private Creations(List<Message> messages, List<Span> spans) {
    this.messages = messages;
    this.spans = spans;
  }

  public static Creations of(Tracing tracing, List<Message> messages) {
    if (!tracing.isOn()) {
      return new Creations(messages, List.of());
    }
    List<Message> traced = new ArrayList<>(messages.size());
    List<Span> spans = new ArrayList<>(messages.size());
    for (Message message : messages) {
      if (message.trace().isPresent()) {
        traced.add(message);
      } else {
        Span span = tracing.start(Operation.create(message));
        spans.add(span);
        traced.add(span.context().map(message::tracedAs).orElse(message));
      }
    }
    return new Creations(traced, spans);
  }

  public List<Message> messages() {
    return messages;
  }

  public void failed(Throwable failure) {
    spans.forEach(span -> span.failed(failure));
  }

  public void end() {
    spans.forEach(Span::end);
  }
}
