package io.postroad.benchmarks.outbox;

import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.message.Message;
import io.postroad.outbox.MessageSender;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.store.OutboxStore;
import io.postroad.store.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Postroad with its default options, used the way its documentation shows. */
final class PostroadContender implements Contender {
  private final String topic;
  private final OutboxStore<Connection> store;
  private final MessageSender sender;
  private final Outbox<Connection> outbox;
  private final OutboxRelay relay;

  private PostroadContender(Arena arena, OutboxStore<Connection> store) {
    this.topic = arena.topic();
    this.store = store;
    this.sender = KafkaSender.create(KafkaSenderOptions.of(arena.bootstrapServers()));
    this.outbox = Outbox.over(store);
    this.relay = OutboxRelay.builder(store, sender).build();
  }

  /** Messages are read in the order of their keys, by the owner of a lane. */
  static PostroadContender ordered(Arena arena) {
    return new PostroadContender(arena, PostgresOrderedStore.open(arena.pool(), options(arena)));
  }

  /** Messages are taken one by one, by competing workers. */
  static PostroadContender competing(Arena arena) {
    return new PostroadContender(arena, PostgresCompetingStore.open(arena.pool(), options(arena)));
  }

  private static PostgresOptions options(Arena arena) {
    return PostgresOptions.defaults().withSchema(arena.schema()).withSchemaMode(SchemaMode.MIGRATE);
  }

  @Override
  public void enqueue(Orders orders, Event event, Runnable beforeCommit) throws SQLException {
    store
        .transactions()
        .run(
            connection -> {
              orders.insert(connection, event);
              outbox.append(message(event));
              beforeCommit.run();
            });
  }

  @Override
  public void fill(List<Event> events) {
    List<Message> messages = events.stream().map(this::message).toList();
    store.transactions().run(connection -> outbox.appendAll(messages));
  }

  private Message message(Event event) {
    return Message.event(Event.TYPE).to(topic).key(event.key()).json(event.payload()).build();
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
