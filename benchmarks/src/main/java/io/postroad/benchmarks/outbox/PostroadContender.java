package io.postroad.benchmarks.outbox;

import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.LaneLease;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import java.time.Duration;
import java.util.List;

/**
 * Postroad with its default options, used as its documentation shows.
 *
 * @param <T> a transaction
 */
final class PostroadContender<T> implements Contender {
  private final Topic topic;
  private final OutboxStore<T> store;
  private final Orders<T> orders;
  private final MessageSender sender;
  private final Outbox<T> outbox;
  private final OutboxRelay relay;

  PostroadContender(OutboxStore<T> store, Orders<T> orders, Topic topic) {
    this.topic = topic;
    this.store = store;
    this.orders = orders;
    this.sender = KafkaSender.create(KafkaSenderOptions.of(topic.bootstrapServers()));
    this.outbox = Outbox.over(store);
    this.relay = OutboxRelay.builder(store, sender).build();
  }

  @Override
  public void enqueue(Event event, Runnable beforeCommit) throws Exception {
    store
        .transactions()
        .<Exception>run(
            transaction -> {
              orders.insert(transaction, event);
              outbox.append(message(event));
              beforeCommit.run();
            });
  }

  @Override
  public void fill(List<Event> events) {
    List<Message> messages = events.stream().map(this::message).toList();
    store.transactions().run(transaction -> outbox.appendAll(messages));
  }

  /**
   * Blocks keys as a relay does, without sending: later messages are blocked behind the first of
   * their key.
   */
  @Override
  public void block(int keys, int each) {
    OrderedStore<T> ordered = (OrderedStore<T>) store;
    for (int lane = 0; keys > 0 && lane < ordered.lanes().count(); lane++) {
      LaneLease lease =
          ordered.lanes().take(lane, "key-blocker", Duration.ofMinutes(30)).orElseThrow();
      new KeyBlocker<>(ordered, lease, topic.name()).block(keys / ordered.lanes().count(), each);
      ordered.lanes().release(lease);
    }
  }

  private Message message(Event event) {
    return Message.event(Event.TYPE)
        .to(topic.name())
        .key(event.key())
        .json(event.payload())
        .build();
  }

  @Override
  public void startRelay() {
    relay.start();
  }

  @Override
  public void stopRelay() {
    relay.stop();
  }

  @Override
  public void close() {
    sender.close();
    store.close();
  }
}
