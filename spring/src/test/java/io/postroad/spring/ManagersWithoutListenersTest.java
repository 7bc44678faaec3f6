package io.postroad.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.transaction.NoTransactionException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Managers that take no listener, so that nothing tells Postroad when their commit begins. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManagersWithoutListenersTest {
  private TestPostgres database;
  private HikariDataSource pool;
  private HikariDataSource otherPool;
  private PostgresOrderedStore store;

  enum Kind {
    CHAIN,
    INTERFACE_PROXY
  }

  @BeforeAll
  void create() {
    database = new TestPostgres("spring_managers");
    database.execute("CREATE TABLE thing (name text PRIMARY KEY)");
    // As many applications have it for JPA: the pool rolls back what is left open at the return.
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.pool().getJdbcUrl());
    config.setMinimumIdle(0);
    config.setAutoCommit(false);
    pool = new HikariDataSource(config);
    otherPool = TestPostgres.pool(database.pool().getJdbcUrl(), 10);
    store = PostgresOrderedStore.open(database.pool(), database.options());
  }

  @BeforeEach
  void empty() {
    database.execute("TRUNCATE thing, outbox_log_0, outbox_log_1, outbox_log_2");
  }

  @AfterAll
  void close() {
    store.close();
    pool.close();
    otherPool.close();
    database.close();
  }

  @ParameterizedTest
  @EnumSource
  void appendIsPartOfTheTransaction(Kind kind) {
    PlatformTransactionManager manager = manager(kind);
    Outbox<Connection> outbox = outbox(manager);
    required(manager)
        .executeWithoutResult(
            status -> {
              outbox.append(event("First"));
              insert("a");
              outbox.append(event("Last"));
            });
    required(manager)
        .executeWithoutResult(
            status -> {
              outbox.append(event("RolledBack"));
              status.setRollbackOnly();
            });

    assertThat(messages()).containsExactly("First", "Last");
  }

  @ParameterizedTest
  @EnumSource
  void appendAfterTheCommitIsRefused(Kind kind) {
    PlatformTransactionManager manager = manager(kind);
    Outbox<Connection> outbox = outbox(manager);
    List<Throwable> thrown = new ArrayList<>();
    required(manager)
        .executeWithoutResult(
            status -> {
              insert("a");
              told(
                  () -> {
                    insert("in afterCommit, so a statement has run since the commit");
                    thrown.add(catchThrowable(() -> outbox.append(event("Late"))));
                    required(manager)
                        .executeWithoutResult(
                            joined ->
                                thrown.add(catchThrowable(() -> outbox.append(event("Late")))));
                  },
                  () -> thrown.add(catchThrowable(() -> outbox.append(event("Late")))));
            });

    assertThat(thrown)
        .hasSize(3)
        .allSatisfy(each -> assertThat(each).isInstanceOf(NoTransactionException.class));
    assertThat(messages()).isEmpty();
  }

  /** The transaction that is over has been used for an append before. */
  @ParameterizedTest
  @EnumSource
  void appendBeforeTheCommitDoesNotOpenTheWayForOneAfterIt(Kind kind) {
    PlatformTransactionManager manager = manager(kind);
    Outbox<Connection> outbox = outbox(manager);
    List<Throwable> thrown = new ArrayList<>();
    required(manager)
        .executeWithoutResult(
            status -> {
              outbox.append(event("InTime"));
              told(() -> thrown.add(catchThrowable(() -> outbox.append(event("Late")))), () -> {});
            });

    assertThat(thrown)
        .hasSize(1)
        .allSatisfy(each -> assertThat(each).isInstanceOf(NoTransactionException.class));
    assertThat(messages()).containsExactly("InTime");
  }

  @ParameterizedTest
  @EnumSource
  void aTransactionThatBeginsAfterTheCommitIsOneLikeAnyOther(Kind kind) {
    PlatformTransactionManager manager = manager(kind);
    SpringJdbcTransactions transactions = new SpringJdbcTransactions(manager, pool);
    Outbox<Connection> outbox = outbox(transactions);
    required(manager)
        .executeWithoutResult(
            status ->
                told(
                    () -> {
                      requiresNew(manager)
                          .executeWithoutResult(own -> outbox.append(event("AfterCommit")));
                      transactions.run(own -> outbox.append(event("AfterCommitUnit")));
                    },
                    () ->
                        requiresNew(manager)
                            .executeWithoutResult(own -> outbox.append(event("Completion")))));

    assertThat(messages()).containsExactly("AfterCommit", "AfterCommitUnit", "Completion");
  }

  private PlatformTransactionManager manager(Kind kind) {
    DataSourceTransactionManager real = new DataSourceTransactionManager(pool);
    return switch (kind) {
      case CHAIN -> new ChainOfManagers(List.of(new DataSourceTransactionManager(otherPool), real));
      case INTERFACE_PROXY -> proxyOf(real);
    };
  }

  private static PlatformTransactionManager proxyOf(PlatformTransactionManager real) {
    return (PlatformTransactionManager)
        Proxy.newProxyInstance(
            ManagersWithoutListenersTest.class.getClassLoader(),
            new Class<?>[] {PlatformTransactionManager.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  private Outbox<Connection> outbox(PlatformTransactionManager manager) {
    return outbox(new SpringJdbcTransactions(manager, pool));
  }

  private Outbox<Connection> outbox(SpringJdbcTransactions transactions) {
    return Outbox.over(store, transactions, OutboxOptions.defaults(), OutboxObserver.none());
  }

  private static TransactionTemplate required(PlatformTransactionManager manager) {
    return new TransactionTemplate(manager);
  }

  private static TransactionTemplate requiresNew(PlatformTransactionManager manager) {
    return new TransactionTemplate(
        manager, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
  }

  private static void told(Runnable afterCommit, Runnable afterCompletion) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            afterCommit.run();
          }

          @Override
          public void afterCompletion(int status) {
            afterCompletion.run();
          }
        });
  }

  private void insert(String name) {
    new JdbcTemplate(pool).update("INSERT INTO thing VALUES (?)", name);
  }

  private List<String> messages() {
    return database.seen("SELECT type FROM outbox ORDER BY 1");
  }

  private static Message event(String type) {
    return Message.event(type).to("things").json("{}").build();
  }
}
