package io.postroad.postgres.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.postgres.KeptConnection;
import io.postroad.postgres.LogLines;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresSchema;
import io.postroad.postgres.TestDatabase;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PgBouncer;
import io.postroad.servers.PostgresServer;
import io.postroad.servers.ServerOptions;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.hint.NodeWakeUps;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/** Stores behind a real PgBouncer. */
@Timeout(120)
class PoolerTest {
  private static final String DEAF = "no notifications of other nodes";
  private static final String MIXED_UP = "a pooler is in between and the driver prepares";

  private final List<AutoCloseable> open = new ArrayList<>();
  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.empty("pooled");
    open.add(database);
  }

  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void theCompetingStoreMigratesAppendsAndDelivers() throws Exception {
    DataSource pool = pool(pooler("transaction", 3), "&prepareThreshold=0");
    PostgresOptions options = PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE);
    try (LogLines log = new LogLines();
        PostgresCompetingStore store = PostgresCompetingStore.open(pool, options)) {
      assertDelivers(store, log);
    }
  }

  @Test
  void theOrderedStoreMigratesAppendsAndDelivers() throws Exception {
    DataSource pool = pool(pooler("transaction", 3), "&prepareThreshold=0");
    PostgresOptions options = PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE);
    try (LogLines log = new LogLines();
        PostgresOrderedStore store = PostgresOrderedStore.open(pool, options)) {
      assertDelivers(store, log);
    }
  }

  /** Also once LISTEN is known to be dead. */
  private static void assertDelivers(OutboxStore<Connection> store, LogLines log) throws Exception {
    Delivered delivered = new Delivered();
    try (OutboxRelay relay = OutboxRelay.builder(store, delivered).build()) {
      relay.start();
      List<UUID> early = append(store, 20);
      assertThat(delivered.next(20)).containsExactlyInAnyOrderElementsOf(early);
      log.await(DEAF);

      List<UUID> late = append(store, 20);

      assertThat(delivered.next(20)).containsExactlyInAnyOrderElementsOf(late);
    }
    assertThat(log.with(DEAF)).hasSize(1);
    assertThat(log.with(DEAF).get(0)).contains("is there a transaction pooler in between?");
    assertThat(log.with("WARN")).as("nothing else is wrong").hasSize(1);
    assertThat(store.backlog().pending()).isZero();
  }

  @Test
  void aDeafListenerSaysSoOnceHoweverOftenItTries() throws Exception {
    HikariDataSource pool = pool(pooler("transaction", 3), "&prepareThreshold=0");
    AtomicInteger borrowed = new AtomicInteger();
    DataSource counted = counting(pool, borrowed);
    try (LogLines log = new LogLines();
        NodeWakeUps node = wakeUps(counted)) {
      node.subscribe(() -> {});
      int perTry = 2;
      while (borrowed.get() <= 2 * perTry) {
        Thread.onSpinWait();
      }
      assertThat(log.with(DEAF)).as("after two tries").hasSize(1);
      assertThat(log.with("arrive again")).isEmpty();
    }
  }

  @Test
  void aDeafListenerLeavesNeitherALockNorASubscriptionOnTheServersConnections() throws Exception {
    DataSource pool = pool(pooler("transaction", 1), "&prepareThreshold=0");
    try (LogLines log = new LogLines();
        NodeWakeUps node = wakeUps(pool)) {
      node.subscribe(() -> {});
      log.await(DEAF);
    }
    assertThat(TestDatabase.rows(pool, "SELECT pg_listening_channels()")).isEmpty();
    assertThat(
            database.rows(
                "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND database ="
                    + " (SELECT oid FROM pg_database WHERE datname = current_database())"))
        .isEmpty();
    assertThat(channel(database.pool()).send()).as("nobody is thought to listen").isFalse();
  }

  /** The second try may listen on the connection that sent the first one's echo. */
  @Test
  void whatAPoolerDeliveredToSomebodyElseIsNoEcho() throws Exception {
    String url = pooler("transaction", 1).jdbcUrl(database.url()) + "&prepareThreshold=0";
    try (Connection deaf = DriverManager.getConnection(url);
        KeptConnection other = new KeptConnection(url, true)) {
      NotifyChannel channel = channel(other);
      PGConnection unused = channel.listen(deaf);
      channel.echo();

      PGConnection listening = channel.listen(other.getConnection());

      assertThat(channel.await(listening, 1).nothing()).isTrue();
    }
  }

  @Test
  void behindASessionPoolerNodesHearEachOtherAndNotThemselves() throws Exception {
    DataSource pool = pool(pooler("session", 10), "");
    NotifyChannel here = channel(pool);
    NotifyChannel there = channel(pool);
    Semaphore heard = new Semaphore(0);
    try (LogLines log = new LogLines();
        AutoCloseable listener = here.listen(heard::release)) {
      while (!there.send()) {
        Thread.onSpinWait();
      }
      assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      assertThat(here.send()).as("only this node listens").isFalse();
      assertThat(log.with(DEAF)).isEmpty();
    }
  }

  @Test
  void preparedStatementsBehindAPoolerAreWarnedOf() throws Exception {
    PgBouncer pooler = pooler("transaction", 3);
    new PostgresSchema(database.pool(), PostgresOptions.defaults()).migrate();

    try (LogLines log = new LogLines()) {
      PostgresCompetingStore.open(database.pool(), PostgresOptions.defaults()).close();
      PostgresCompetingStore.open(pool(pooler, "&prepareThreshold=0"), PostgresOptions.defaults())
          .close();
      assertThat(log.with(MIXED_UP)).isEmpty();

      PostgresCompetingStore.open(pool(pooler, ""), PostgresOptions.defaults()).close();

      assertThat(log.with(MIXED_UP)).hasSize(1);
      assertThat(log.with(MIXED_UP).get(0)).contains("prepareThreshold=0");
    }
  }

  private static List<UUID> append(OutboxStore<Connection> store, int count) throws Exception {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Message message = Message.event("T").to("d").key("k" + i % 3).json("{}").build();
      store.transactions().run(c -> store.append(c, List.of(message), Duration.ofDays(1)));
      ids.add(message.id());
    }
    return ids;
  }

  private static DataSource counting(DataSource pool, AtomicInteger borrowed) {
    return (DataSource)
        Proxy.newProxyInstance(
            PoolerTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              borrowed.incrementAndGet();
              return method.invoke(pool, arguments);
            });
  }

  private static NodeWakeUps wakeUps(DataSource pool) {
    PostgresOptions options = PostgresOptions.defaults();
    return NotifyChannel.wakeUps(new Database(pool, options.statementTimeout()), options);
  }

  private static NotifyChannel channel(DataSource pool) {
    PostgresOptions options = PostgresOptions.defaults();
    return new NotifyChannel(new Database(pool, options.statementTimeout()), options.channel());
  }

  private PgBouncer pooler(String mode, int connections) {
    PgBouncer pooler =
        PgBouncer.started(
            PostgresServer.shared(),
            ServerOptions.defaults()
                .withSetting("pool_mode", mode)
                .withSetting("default_pool_size", Integer.toString(connections)));
    open.add(pooler);
    return pooler;
  }

  private HikariDataSource pool(PgBouncer pooler, String parameters) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(pooler.jdbcUrl(database.url()) + parameters);
    config.setMinimumIdle(0);
    HikariDataSource pool = new HikariDataSource(config);
    open.add(pool);
    return pool;
  }

  private static final class Delivered implements MessageSender {
    private final BlockingQueue<UUID> ids = new LinkedBlockingQueue<>();

    List<UUID> next(int count) throws InterruptedException {
      List<UUID> next = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        next.add(ids.take());
      }
      return next;
    }

    @Override
    public String name() {
      return "delivered";
    }

    @Override
    public Duration timeout() {
      return Duration.ofSeconds(10);
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      messages.forEach(message -> ids.add(message.id()));
      return messages.stream()
          .<CompletionStage<SendOutcome>>map(
              message -> CompletableFuture.completedFuture(new SendOutcome.Accepted(Map.of())))
          .toList();
    }

    @Override
    public void close() {}
  }
}
