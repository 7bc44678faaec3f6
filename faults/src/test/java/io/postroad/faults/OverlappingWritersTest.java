package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Transactions that overlap in every way: places in the log are drawn in another order than they
 * are committed in, and some never are. A relay that reads meanwhile must see each committed event
 * once. {@code -Dpostroad.events=N} is another number of events.
 */
class OverlappingWritersTest {
  private static final int WRITERS = 100;
  private static final int EVENTS =
      Integer.getInteger("postroad.events", Length.of(100_000, 500_000));
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /**
   * With the largest batch a relay reads several times between two advances. An advance is a
   * transaction of its own: when it ends, all that began before it stand in the list of open ones,
   * and a reader that looks at nothing but the list would be right by luck.
   */
  private static final RelayOptions OPTIONS =
      RelayOptions.defaults().withName("overlap").withBatch(1_000);

  @Test
  void everyCommittedEventIsDeliveredOnceAndInOrder() throws Exception {
    Length.needs(Product.POSTGRESQL);
    Seed seed = Seed.printed("overlapping writers");
    Sql sql = new Sql(PostgresServer.shared().createDatabase("overlap"));
    Booked booked = new Booked();
    try (HikariDataSource pool = Pools.open(sql.jdbcUrl(), "overlap");
        PostgresOrderedStore store =
            PostgresOrderedStore.open(
                pool, PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE));
        OutboxRelay relay =
            OutboxRelay.builder(store, new AcceptingSender(booked::delivered))
                .options(OPTIONS)
                .build()) {
      OverlappingWriter.setUp(sql);
      relay.start();
      long began = System.nanoTime();
      write(sql, store, booked, seed);
      long wrote = System.nanoTime();
      Eventually.await(
          PATIENCE, () -> booked.waiting() <= 0, () -> booked + " after a long wait; " + seed);
      long delivered = System.nanoTime();
      relay.stop();
      RelayPass rest = relay.drain();
      System.out.printf(
          "overlapping writers: %s; wrote for %d ms, delivered %d ms later; %s%n",
          booked,
          Duration.ofNanos(wrote - began).toMillis(),
          Duration.ofNanos(delivered - wrote).toMillis(),
          seed);
      assertThat(rest.claimed()).as("left over; %s", seed).isZero();
      assertThat(booked.problems()).as("%s; %s", booked, seed).isEmpty();
    }
  }

  private static void write(Sql sql, PostgresOrderedStore store, Booked booked, Seed seed)
      throws Exception {
    SplittableRandom random = seed.random();
    AtomicInteger left = new AtomicInteger(EVENTS);
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        OverlappingWriter writer =
            new OverlappingWriter(i, sql, store, booked, random.split(), left);
        running.add(threads.submit(writer));
      }
      for (Future<?> writer : running) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
