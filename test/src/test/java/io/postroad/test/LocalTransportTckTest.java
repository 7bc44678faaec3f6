package io.postroad.test;

import io.postroad.inbox.Inbox;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.tck.transport.TransportContract;
import io.postroad.tck.transport.TransportStores;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** No broker: the relay of an outbox hands messages to the handlers of its own process. */
class LocalTransportTckTest extends TransportContract<InMemoryTransaction> {
  private volatile Duration ahead = Duration.ZERO;

  @Override
  protected String name() {
    return "none";
  }

  @Override
  protected String newDestination() {
    return "stream-" + UUID.randomUUID();
  }

  @Override
  protected TransportStores<InMemoryTransaction> openStores() {
    InMemoryOrderedStore outbox = new InMemoryOrderedStore();
    return new TransportStores<>(outbox, new InMemoryOrderedStore(), outbox.inbox());
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
    return inbox.localSender();
  }

  @Override
  protected AutoCloseable receive(Inbox<InMemoryTransaction> inbox) {
    return () -> {};
  }

  @Override
  protected boolean hasBroker() {
    return false;
  }
}
