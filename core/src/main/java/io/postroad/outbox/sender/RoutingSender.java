package io.postroad.outbox.sender;

import io.postroad.internal.relay.SafeSend;
import io.postroad.message.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Sends each message to the sender of its destination, so that a destination moves from one broker
 * to another, or to none, by configuration alone.
 *
 * <p>Safe to use from many threads if the senders are. Order per destination and key is that of the
 * sender. A crash leaves what {@link MessageSender} says.
 */
public final class RoutingSender implements MessageSender {
  private final Map<String, MessageSender> routes;
  private final MessageSender otherwise;

  private RoutingSender(Map<String, MessageSender> routes, MessageSender otherwise) {
    this.routes = Map.copyOf(routes);
    this.otherwise = otherwise;
  }

  /**
   * Returns a sender that routes by destination.
   *
   * @param otherwise for destinations without a route
   */
  public static RoutingSender of(Map<String, MessageSender> routes, MessageSender otherwise) {
    return new RoutingSender(routes, otherwise);
  }

  @Override
  public String name() {
    Map<String, Boolean> names = new LinkedHashMap<>();
    senders().forEach(sender -> names.put(sender.name(), true));
    return String.join("+", names.keySet());
  }

  /** Returns the timeout of the slowest sender. */
  @Override
  public Duration timeout() {
    return senders().stream()
        .map(MessageSender::timeout)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    return route(messages, MessageSender::send);
  }

  @Override
  public SendSession openSession() {
    return new RoutedSession(MessageSender::openSession);
  }

  /** Opens a session of this line at each sender. */
  @Override
  public SendSession openSession(String line) {
    return new RoutedSession(sender -> sender.openSession(line));
  }

  private MessageSender senderOf(Message message) {
    return routes.getOrDefault(message.destination(), otherwise);
  }

  private Set<MessageSender> senders() {
    Set<MessageSender> senders = new LinkedHashSet<>(routes.values());
    senders.add(otherwise);
    return senders;
  }

  private interface HandOver {
    List<CompletionStage<SendOutcome>> send(MessageSender sender, List<Message> messages);
  }

  private List<CompletionStage<SendOutcome>> route(List<Message> messages, HandOver handOver) {
    Map<MessageSender, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < messages.size(); i++) {
      places.computeIfAbsent(senderOf(messages.get(i)), sender -> new ArrayList<>()).add(i);
    }
    List<CompletableFuture<SendOutcome>> outcomes = new ArrayList<>(messages.size());
    messages.forEach(message -> outcomes.add(new CompletableFuture<>()));
    places.forEach(
        (sender, indexes) ->
            SafeSend.send(
                part -> handOver.send(sender, part),
                sender,
                indexes.stream().map(messages::get).toList(),
                (outcome, index) -> outcomes.get(indexes.get(index)).complete(outcome)));
    return List.copyOf(outcomes);
  }

  /** Closes every sender. */
  @Override
  public void close() {
    senders().forEach(MessageSender::close);
  }

  private final class RoutedSession implements SendSession {
    private final Function<MessageSender, SendSession> opening;
    private final Map<MessageSender, SendSession> sessions = new HashMap<>();

    RoutedSession(Function<MessageSender, SendSession> opening) {
      this.opening = opening;
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      return route(
          messages, (sender, part) -> sessions.computeIfAbsent(sender, opening).send(part));
    }

    @Override
    public void close() {
      sessions.values().forEach(SendSession::close);
    }
  }
}
