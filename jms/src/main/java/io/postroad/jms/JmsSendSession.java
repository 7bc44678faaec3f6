package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the order between calls, separately for each queue. A queue that does not answer does not
 * delay other queues, and its failure ends only its own part of the session.
 */
final class JmsSendSession implements SendSession {
  private final Function<String, QueueSession> sessions;
  private final Map<String, QueueSession> open = new HashMap<>();
  private boolean closed;

  /**
   * @param sessions creates the session of a queue
   */
  JmsSendSession(Function<String, QueueSession> sessions) {
    this.sessions = sessions;
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    Map<String, List<Message>> byQueue = new LinkedHashMap<>();
    for (Message message : messages) {
      byQueue.computeIfAbsent(message.destination(), any -> new ArrayList<>()).add(message);
    }
    Map<String, Iterator<CompletionStage<SendOutcome>>> stages = new HashMap<>();
    byQueue.forEach((queue, own) -> stages.put(queue, of(queue).send(own).iterator()));
    List<CompletionStage<SendOutcome>> inOrder = new ArrayList<>(messages.size());
    for (Message message : messages) {
      inOrder.add(Objects.requireNonNull(stages.get(message.destination())).next());
    }
    return inOrder;
  }

  /**
   * Returns the session of a queue. Removes idle sessions, so that the number of queues is
   * unlimited.
   */
  private synchronized QueueSession of(String queue) {
    @Nullable QueueSession session = open.get(queue);
    if (session == null) {
      open.values().removeIf(QueueSession::isIdle);
      session = sessions.apply(queue);
      open.put(queue, session);
      if (closed) {
        session.close();
      }
    }
    return session;
  }

  @Override
  public synchronized void close() {
    closed = true;
    open.values().forEach(QueueSession::close);
  }
}
