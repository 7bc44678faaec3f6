package io.postroad.benchmarks.commands;

import io.postroad.benchmarks.Sql;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandSignal;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.schema.SchemaMode;
import java.sql.Connection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The command bus with its defaults, and as many handlers as the limit has threads. */
final class PostroadCommands implements CommandContender {
  private static final String SCHEMA = "postroad_commands";

  private final PostgresCommandStore store;
  private final CommandBus<Connection> bus;
  private volatile @Nullable CountDownLatch left;

  /** The class of the payload. */
  record Order(String customer, long amount, String note) {}

  private PostroadCommands(DataSource pool, Orders orders) {
    store =
        PostgresCommandStore.open(
            pool, PostgresOptions.defaults().withSchema(SCHEMA).withSchemaMode(SchemaMode.MIGRATE));
    JsonCodec codec = JacksonJsonCodec.create();
    AutoCommandHandlerRegistry<Connection> registry =
        AutoCommandHandlerRegistry.<Connection>builder(codec)
            .on(
                "CreateOrder",
                Order.class,
                (order, context) -> {
                  orders.insert(context.transaction(), context.commandId(), order.note());
                  return Map.of("orderId", context.commandId());
                })
            .build();
    bus =
        CommandBus.builder(store, codec)
            .handlers(registry)
            .options(CommandOptions.defaults().withConcurrency(CommandsBench.CONCURRENCY))
            .observer(this::heard)
            .build();
  }

  static PostroadCommands create(DataSource pool, Orders orders) throws Exception {
    Sql.run(pool, "DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
    return new PostroadCommands(pool, orders);
  }

  private void heard(CommandSignal signal) {
    CountDownLatch waiting = left;
    if (waiting != null && signal instanceof CommandSignal.Completed) {
      waiting.countDown();
    }
  }

  @Override
  public String name() {
    return "postroad";
  }

  @Override
  public void accept(int commands) {
    left = new CountDownLatch(commands);
    for (int i = 0; i < commands; i++) {
      UUID unused =
          bus.accept("CreateOrder", "key-" + i, "order-" + i, Orders.payload(i), Map.of());
    }
  }

  @Override
  public void handleAll() throws InterruptedException {
    bus.start();
    CountDownLatch waiting = left;
    if (waiting == null || !waiting.await(5, TimeUnit.MINUTES)) {
      throw new IllegalStateException("not all commands were handled within 5 minutes");
    }
    bus.stop();
  }

  @Override
  public void close() {
    bus.close();
    store.close();
  }
}
