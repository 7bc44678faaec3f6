package io.postroad.jms;

import io.postroad.inbox.Inbox;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.servers.ArtemisServer;
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

/** Runs the transport contract on a real Artemis. */
class ArtemisTransportTckTest extends TransportContract<InMemoryTransaction> {
  private static final TestQueues QUEUES = new TestQueues(ArtemisServer.shared());
  private volatile Duration ahead = Duration.ZERO;

  @Override
  protected String name() {
    return "artemis";
  }

  @Override
  protected String newDestination() {
    return QUEUES.create();
  }

  @Override
  protected TransportStores<InMemoryTransaction> openStores() {
    InMemoryOrderedStore retries = new InMemoryOrderedStore();
    return new TransportStores<>(new InMemoryOrderedStore(), retries, retries.inbox());
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
    return JmsSender.create(QUEUES.connections());
  }

  @Override
  protected AutoCloseable receive(Inbox<InMemoryTransaction> inbox) {
    JmsReceiver receiver =
        JmsReceiver.create(QUEUES.connections(), JmsReceiverOptions.defaults(), inbox);
    receiver.start();
    return receiver;
  }
}
