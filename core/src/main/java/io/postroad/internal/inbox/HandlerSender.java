package io.postroad.internal.inbox;

import io.postroad.inbox.InboxOptions;
import io.postroad.internal.loop.Ticker;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends messages to the handlers of this process. A message is accepted when its handlers have
 * committed. Messages of one key are handled one after the other. If a message is not accepted,
 * later messages of its key in the same session are not handled.
 */
public final class HandlerSender implements MessageSender {
  private final String name;
  private final Delivery delivery;
  private final KeyedRunner runner;
  private final Duration queueFor;
  private final Duration timeout;
  private final Ticker ticker;
  private final AtomicLong number = new AtomicLong();
  private final Map<Long, CompletableFuture<SendOutcome>> open = new ConcurrentHashMap<>();

  public HandlerSender(String name, Delivery delivery, InboxOptions options, Ticker ticker) {
    this.name = name;
    this.delivery = delivery;
    this.runner = new KeyedRunner(options.name() + "-" + name, options.concurrency());
    this.queueFor = options.queueFor();
    this.timeout = options.longestDelivery();
    this.ticker = ticker;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    return new Session().send(messages);
  }

  @Override
  public SendSession openSession() {
    return new Session();
  }

  /** Interrupts the running handlers, which roll back. Queued messages are not handled. */
  @Override
  public void close() {
    runner.close();
    open.values()
        .forEach(
            outcome ->
                outcome.complete(new SendOutcome.Unknown("not handled: the sender was closed")));
  }

  private final class Session implements SendSession {
    private final Set<OrderKey> failed = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      long handedOver = ticker.nanos();
      return messages.stream()
          .<CompletionStage<SendOutcome>>map(message -> handOver(message, handedOver))
          .toList();
    }

    private CompletableFuture<SendOutcome> handOver(Message message, long handedOver) {
      CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
      long id = number.incrementAndGet();
      open.put(id, outcome);
      OrderKey key = OrderKey.of(message);
      runner.run(
          key,
          () -> {
            outcome.complete(deliver(message, key, handedOver));
            open.remove(id);
          });
      return outcome;
    }

    private SendOutcome deliver(Message message, OrderKey key, long handedOver) {
      SendOutcome outcome = attempt(message, key, handedOver);
      if (!(outcome instanceof SendOutcome.Accepted)) {
        failed.add(key);
      }
      return outcome;
    }

    private SendOutcome attempt(Message message, OrderKey key, long handedOver) {
      if (closed) {
        return new SendOutcome.Unknown("not handled: the session was closed");
      }
      if (failed.contains(key)) {
        return new SendOutcome.Unknown("not handled: an earlier message of its key failed");
      }
      if (ticker.since(handedOver).compareTo(queueFor) > 0) {
        return new SendOutcome.Unknown(
            "not handled: no handler was free for %s; the handlers are overloaded"
                .formatted(queueFor));
      }
      return delivery.deliver(message);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
