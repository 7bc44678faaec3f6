package io.postroad.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.message.Message;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.OutboxStore;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An outbox, its relay, a transport, an inbox and handlers, all running. */
final class TransportScene<T> implements AutoCloseable {
  private final TransportContract<T> contract;
  private final TransportStores<T> stores;
  private final Inbox<T> inbox;
  private final MessageSender sender;
  private final OutboxRelay relay;
  private final Outbox<T> outbox;
  private AutoCloseable receiver;

  private TransportScene(TransportContract<T> contract, Handlers<T> handlers) throws Exception {
    this.contract = contract;
    this.stores = contract.openStores();
    RelayOptions relayOptions =
        RelayOptions.defaults()
            .withBackoff(new Backoff(Duration.ofMillis(50), 1, Duration.ofMillis(50), 0))
            .withMaxAttempts(1_000)
            .withSweepEvery(Duration.ofMillis(50))
            .withBreakAfter(0);
    this.inbox =
        Inbox.builder(stores.inbox(), handlers)
            .retries(stores.retries())
            .options(
                InboxOptions.defaults()
                    .withRetries(relayOptions.withName("retry").withMaxBatch(100)))
            .build();
    this.sender = contract.openSender(inbox);
    this.relay = OutboxRelay.builder(stores.outbox(), sender).options(relayOptions).build();
    this.outbox = Outbox.over(stores.outbox());
    this.receiver = contract.receive(inbox);
    inbox.start();
    relay.start();
  }

  static <T> TransportScene<T> open(TransportContract<T> contract, Handlers.Builder<T> handlers)
      throws Exception {
    return new TransportScene<>(contract, handlers.build());
  }

  void append(Message... messages) {
    stores
        .outbox()
        .transactions()
        .run(transaction -> outbox.appendAll(transaction, List.of(messages)));
    outbox.wakeUp();
  }

  /** Sends a message past the relay, and waits until it was accepted. */
  void send(Message message) throws Exception {
    SendOutcome outcome =
        sender.send(List.of(message)).get(0).toCompletableFuture().get(60, TimeUnit.SECONDS);
    assertThat(outcome).isInstanceOf(SendOutcome.Accepted.class);
  }

  void stopReceiving() throws Exception {
    receiver.close();
  }

  void startReceiving() throws Exception {
    receiver = contract.receive(inbox);
  }

  /** The store that has the messages that died on this way. */
  OutboxStore<T> deadLetterStore() {
    return contract.hasBroker() ? stores.retries() : stores.outbox();
  }

  List<DeadLetter> deadLetters() {
    return deadLetterStore().deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 100);
  }

  DeadLetter deadLetterNamed(String name) {
    return deadLetters().stream()
        .filter(letter -> name.equals(letter.message().headers().get("name")))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no dead letter is named " + name));
  }

  /** {@link Eventually#holds}. */
  void eventually(Eventually.ThrowingAssert assertion) throws Exception {
    Eventually.holds(assertion);
  }

  @Override
  public void close() throws Exception {
    relay.close();
    receiver.close();
    inbox.close();
    sender.close();
    stores.close();
  }
}
