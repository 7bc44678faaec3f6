package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A foreign transaction stays open while a backlog is delivered. It must not make delivery dearer:
 * pages of the outbox that are touched per message are counted. A busy machine can only add to them
 * (smaller batches, more rounds of the clock), so what is above the bound is measured again, and
 * the least counts: an open transaction that makes delivery dearer does so each time.
 */
class OpenTransactionTest {
  private static final int BACKLOG =
      Integer.getInteger("postroad.backlog", Length.of(50_000, 200_000));
  private static final int APPENDED_AT_ONCE = 1_000;
  private static final double TOLERATED = 1.5;
  private static final int ROUNDS = 4;
  private static final String KEY = "held-open";

  private enum Other {
    /** No transaction. */
    NONE,
    /** It has read, and keeps the rows that were there then from being cleaned up. */
    READER,
    /** It has appended and is not committed. */
    WRITER
  }

  @Test
  void transactionsThatStayOpenDoNotMakeDeliveryDearer() throws Exception {
    Length.needs(Product.POSTGRESQL);
    double alone = pagesPerMessage(Other.NONE);
    double withReader = leastPagesPerMessage(Other.READER, TOLERATED * alone);
    double withWriter = leastPagesPerMessage(Other.WRITER, TOLERATED * alone);

    System.out.printf(
        "open transactions: pages per message: alone %.4f, reader %.4f (%.2f x), writer %.4f (%.2f x)%n",
        alone, withReader, withReader / alone, withWriter, withWriter / alone);
    assertThat(withReader).as("with a reader").isLessThanOrEqualTo(TOLERATED * alone);
    assertThat(withWriter).as("with a writer").isLessThanOrEqualTo(TOLERATED * alone);
  }

  private static double leastPagesPerMessage(Other other, double bound) throws Exception {
    double least = pagesPerMessage(other);
    for (int round = 1; round < ROUNDS && least > bound; round++) {
      least = Math.min(least, pagesPerMessage(other));
    }
    return least;
  }

  private static double pagesPerMessage(Other other) throws Exception {
    PostgresServer server = PostgresServer.shared();
    Sql sql = new Sql(server.createDatabase("open"));
    try (Connection open = sql.connect()) {
      fill(sql, open, other);
      long before = pages(server, sql);
      Queue<Message> ofKey = new ConcurrentLinkedQueue<>();
      AtomicInteger delivered = new AtomicInteger();
      try (HikariDataSource pool = Pools.open(sql.jdbcUrl(), "open");
          PostgresOrderedStore store = PostgresOrderedStore.open(pool, PostgresOptions.defaults());
          OutboxRelay relay = relay(store, ofKey, delivered)) {
        relay.start();
        await(delivered, BACKLOG);
      }
      long touched = pages(server, sql) - before;
      assertThat(ofKey).isEmpty();
      open.commit();
      if (other == Other.WRITER) {
        arrivesInItsPlace(sql, ofKey, delivered);
      }
      return (double) touched / BACKLOG;
    }
  }

  /** Sets up the outbox, lets the other transaction begin, and appends the backlog behind it. */
  private static void fill(Sql sql, Connection open, Other other) throws SQLException {
    try (HikariDataSource pool = Pools.open(sql.jdbcUrl(), "open");
        PostgresOrderedStore store =
            PostgresOrderedStore.open(
                pool, PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE))) {
      // Vacuum and analyze of the server itself come when they like and would be counted, too.
      for (var table :
          sql.rows("SELECT relname FROM pg_class WHERE relname LIKE 'outbox%' AND relkind = 'r'")) {
        sql.execute(
            "ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(table.get("relname")));
      }
      Outbox<Connection> outbox = Outbox.over(store);
      open.setAutoCommit(false);
      open.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      if (other == Other.READER) {
        try (Statement read = open.createStatement()) {
          read.executeQuery("SELECT count(*) FROM outbox_lane").close();
        }
      } else if (other == Other.WRITER) {
        outbox.appendAll(open, List.of(message(KEY, 1), message(KEY, 2)));
      }
      for (int first = 0; first < BACKLOG; first += APPENDED_AT_ONCE) {
        List<Message> some =
            IntStream.range(first, Math.min(BACKLOG, first + APPENDED_AT_ONCE))
                .mapToObj(number -> message("key-" + number % 1_000, number))
                .toList();
        store.transactions().run(connection -> outbox.appendAll(connection, some));
      }
    }
  }

  /** Checks that messages of the committed transaction arrive before later ones of its key. */
  private static void arrivesInItsPlace(Sql sql, Queue<Message> ofKey, AtomicInteger delivered)
      throws Exception {
    try (HikariDataSource pool = Pools.open(sql.jdbcUrl(), "open");
        PostgresOrderedStore store = PostgresOrderedStore.open(pool, PostgresOptions.defaults());
        OutboxRelay relay = relay(store, ofKey, delivered)) {
      Outbox<Connection> outbox = Outbox.over(store);
      store.transactions().run(connection -> outbox.append(connection, message(KEY, 3)));
      relay.start();
      await(delivered, BACKLOG + 3);
    }
    assertThat(ofKey)
        .extracting(message -> message.payload().text().orElseThrow())
        .containsExactly("1", "2", "3");
  }

  private static OutboxRelay relay(
      PostgresOrderedStore store, Queue<Message> ofKey, AtomicInteger delivered) {
    AcceptingSender sender =
        new AcceptingSender(
            message -> {
              if (message.key().orElseThrow().equals(KEY)) {
                ofKey.add(message);
              }
              delivered.incrementAndGet();
            });
    return OutboxRelay.builder(store, sender)
        .options(RelayOptions.defaults().withName("open"))
        .build();
  }

  private static void await(AtomicInteger delivered, int wanted) throws Exception {
    Eventually.await(
        Duration.ofMinutes(2),
        () -> delivered.get() >= wanted,
        () -> "delivered %d of %d".formatted(delivered.get(), wanted));
    assertThat(delivered).hasValue(wanted);
  }

  /** Touched so far in the outbox's tables and their indexes, when the pool is closed. */
  private static long pages(PostgresServer server, Sql sql) throws Exception {
    String name = sql.rows("SELECT current_database() AS name").get(0).get("name");
    String sessions =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = '%s' AND application_name = 'open'"
            .formatted(name);
    Sql main = new Sql(server.jdbcUrl());
    Eventually.await(
        Duration.ofMinutes(1), () -> main.number(sessions) == 0, () -> "the pool is not closed");
    return sql.number(
        """
        SELECT sum(heap_blks_hit + heap_blks_read
                 + coalesce(idx_blks_hit + idx_blks_read, 0)
                 + coalesce(toast_blks_hit + toast_blks_read, 0)
                 + coalesce(tidx_blks_hit + tidx_blks_read, 0))
          FROM pg_statio_user_tables
         WHERE relname LIKE 'outbox%'
        """);
  }

  private static Message message(String key, int number) {
    return Message.event("Booked").to("bookings").key(key).json("" + number).build();
  }
}
