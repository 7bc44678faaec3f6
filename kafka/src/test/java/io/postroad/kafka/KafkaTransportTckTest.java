package io.postroad.kafka;

import io.postroad.inbox.Inbox;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.servers.KafkaServer;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.tck.transport.TransportContract;
import io.postroad.tck.transport.TransportStores;
import io.postroad.test.InMemoryOrderedStore;
import io.postroad.test.InMemoryTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

class KafkaTransportTckTest extends TransportContract<InMemoryTransaction> {
  private final String group = "g-" + UUID.randomUUID();
  private volatile Duration ahead = Duration.ZERO;

  @Override
  protected String name() {
    return "kafka";
  }

  @Override
  protected String newDestination() {
    return new TestTopics(KafkaServer.shared()).create(3);
  }

  @Override
  protected TransportStores<InMemoryTransaction> openStores() {
    InMemoryOrderedStore received = new InMemoryOrderedStore();
    return new TransportStores<>(new InMemoryOrderedStore(), received, received.inbox());
  }

  @Override
  protected OrderedStore<InMemoryTransaction> openService() {
    return new InMemoryOrderedStore(() -> Instant.now().plus(ahead));
  }

  @Override
  protected void advance(Duration by) {
    ahead = ahead.plus(by);
  }

  @Override
  protected InboxStore<InMemoryTransaction> openInbox(OrderedStore<InMemoryTransaction> service) {
    return ((InMemoryOrderedStore) service).inbox();
  }

  @Override
  protected CommandStore<InMemoryTransaction> openCommands(
      OrderedStore<InMemoryTransaction> service) {
    return ((InMemoryOrderedStore) service).commands();
  }

  @Override
  protected ProcessStore<InMemoryTransaction> openProcesses(
      OrderedStore<InMemoryTransaction> service) {
    return ((InMemoryOrderedStore) service).processes();
  }

  @Override
  protected MessageSender openSender(Inbox<InMemoryTransaction> inbox) {
    return KafkaSender.create(KafkaSenderOptions.of(KafkaServer.shared().bootstrapServers()));
  }

  @Override
  protected AutoCloseable receive(Inbox<InMemoryTransaction> inbox) {
    KafkaReceiver receiver =
        KafkaReceiver.create(
            KafkaReceiverOptions.of(KafkaServer.shared().bootstrapServers(), group)
                .withCommitEvery(Duration.ofMillis(100)),
            inbox);
    receiver.start();
    return receiver;
  }
}
