package io.postroad.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.transaction.NoTransactionException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;

/** JPA with Hibernate: one connection for both, and the business first. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringJpaTest {
  private TestPostgres database;
  private LocalContainerEntityManagerFactoryBean factoryBean;
  private EntityManager entities;
  private TransactionTemplate transaction;
  private SpringJdbcTransactions transactions;
  private PostgresOrderedStore store;
  private Outbox<Connection> outbox;

  @BeforeAll
  void create() {
    database = new TestPostgres("spring_jpa");
    database.execute(
        """
        CREATE TABLE payment (id text PRIMARY KEY, status text NOT NULL);
        CREATE TABLE written (seq bigint GENERATED ALWAYS AS IDENTITY, what text NOT NULL);
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN INSERT INTO written (what) VALUES (TG_ARGV[0]); RETURN NULL; END';
        """);
    store = PostgresOrderedStore.open(database.pool(), database.options());
    // Each statement is written down where it happens, in the order in which the server sees them.
    database.execute(
        "CREATE TRIGGER note AFTER INSERT OR UPDATE ON payment FOR EACH STATEMENT"
            + " EXECUTE FUNCTION note('payment')");
    for (int table = 0; table < 3; table++) {
      database.execute(
          "CREATE TRIGGER note AFTER INSERT ON outbox_log_%d FOR EACH STATEMENT EXECUTE FUNCTION note('message')"
              .formatted(table));
    }
    factoryBean = new LocalContainerEntityManagerFactoryBean();
    factoryBean.setDataSource(database.pool());
    factoryBean.setPackagesToScan("io.postroad.spring");
    factoryBean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factoryBean.afterPropertiesSet();
    EntityManagerFactory factory = Objects.requireNonNull(factoryBean.getObject());
    entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
    JpaTransactionManager manager = new JpaTransactionManager(factory);
    transaction = new TransactionTemplate(manager);
    transactions = new SpringJdbcTransactions(manager, database.pool());
    outbox = Outbox.over(store, transactions, OutboxOptions.defaults(), OutboxObserver.none());
  }

  @BeforeEach
  void empty() {
    database.execute(
        "TRUNCATE payment, outbox_log_0, outbox_log_1, outbox_log_2;"
            + " INSERT INTO payment VALUES ('p1', 'NEW'); TRUNCATE written");
  }

  @AfterAll
  void close() {
    factoryBean.destroy();
    store.close();
    database.close();
  }

  /** Hibernate alone would write the payment at the commit, after the message. */
  @Test
  void theRowsOfTheBusinessAreWrittenBeforeTheMessage() {
    transaction.executeWithoutResult(
        status -> {
          payment().approve();
          outbox.append(approved());
        });

    assertThat(written()).containsExactly("payment", "message");
    assertThat(statuses()).containsExactly("APPROVED");
    assertThat(messages()).containsExactly("PaymentApproved");
  }

  @Test
  void onlyTheAppendFlushesNotTheQuestionForTheTransaction() {
    transaction.executeWithoutResult(
        status -> {
          payment().approve();
          Connection connection = transactions.current().orElseThrow();
          assertThat(rows(connection)).as("current() reads only").isEqualTo("NEW");
          transactions.flush(connection);
          assertThat(rows(connection)).isEqualTo("APPROVED");
          status.setRollbackOnly();
        });

    assertThat(statuses()).containsExactly("NEW");
  }

  /** It would begin and end one on the connection of the other, and so commit halfway. */
  @Test
  void aTransactionThatAnotherManagerBeganIsRefused() {
    SpringJdbcTransactions ofJdbc =
        new SpringJdbcTransactions(
            new DataSourceTransactionManager(database.pool()), database.pool());
    Outbox<Connection> other =
        Outbox.over(store, ofJdbc, OutboxOptions.defaults(), OutboxObserver.none());

    transaction.executeWithoutResult(
        status -> {
          payment().approve();
          entities.flush();
          assertThatThrownBy(() -> other.append(approved()))
              .isInstanceOf(NoTransactionException.class)
              .hasMessageContaining("another transaction manager");
          assertThatThrownBy(() -> ofJdbc.run(connection -> {}))
              .isInstanceOf(NoTransactionException.class);
          status.setRollbackOnly();
        });

    assertThat(statuses()).as("nothing was committed halfway").containsExactly("NEW");
    assertThat(messages()).isEmpty();
  }

  @Test
  void aTransactionOfAnotherDatabaseInsideOfOursIsRefused() {
    try (HikariDataSource another = TestPostgres.pool(database.pool().getJdbcUrl(), 1)) {
      transaction.executeWithoutResult(
          status -> {
            payment().approve();
            new TransactionTemplate(new DataSourceTransactionManager(another))
                .executeWithoutResult(
                    inner ->
                        assertThatThrownBy(() -> outbox.append(approved()))
                            .isInstanceOf(NoTransactionException.class)
                            .hasMessageContaining("another transaction manager"));
            outbox.append(approved());
          });
    }

    assertThat(written()).containsExactly("payment", "message");
  }

  @Test
  void theRowsOfTheBusinessAreWrittenBeforeACallThatJoins() {
    transaction.executeWithoutResult(
        status -> {
          payment().approve();
          transactions.run(
              connection -> {
                assertThat(rows(connection)).as("on the same connection").isEqualTo("APPROVED");
                outbox.append(approved());
              });
        });

    assertThat(written()).containsExactly("payment", "message");
  }

  @Test
  void aRollbackTakesEntitiesAndMessageTogether() {
    transaction.executeWithoutResult(
        status -> {
          payment().approve();
          outbox.append(approved());
          status.setRollbackOnly();
        });

    assertThat(statuses()).containsExactly("NEW");
    assertThat(messages()).isEmpty();
  }

  /** What is changed after the append is flushed at the commit, and takes the message with it. */
  @Test
  void aConstraintThatFailsAtTheFlushLeavesNoMessage() {
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      outbox.append(approved());
                      entities.persist(new Payment("p1", "SECOND"));
                    }))
        .isInstanceOf(DataIntegrityViolationException.class);

    assertThat(messages()).isEmpty();
  }

  @Test
  void aConstraintThatFailsAtTheAppendIsTheAppendsFailure() {
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      entities.persist(new Payment("p1", "SECOND"));
                      assertThatThrownBy(() -> outbox.append(approved()))
                          .isInstanceOfAny(
                              DataIntegrityViolationException.class, PersistenceException.class);
                    }))
        .isInstanceOf(RuntimeException.class);

    assertThat(messages()).isEmpty();
    assertThat(statuses()).containsExactly("NEW");
  }

  @Test
  void aTransactionThatPostroadBeganIsOneOfJpa() {
    transactions.run(
        connection -> {
          payment().approve();
          outbox.append(approved());
        });

    assertThat(written()).containsExactly("payment", "message");
    assertThat(statuses()).containsExactly("APPROVED");
  }

  @Test
  void changesOfACallAreWrittenAtItsEndThoughNothingWasAppended() {
    transactions.run(connection -> payment().approve());

    assertThat(statuses()).containsExactly("APPROVED");
  }

  @Test
  void writesThatGoTogetherComeAfterTheBusiness() {
    transactions.run(
        connection -> {
          payment().approve();
          transactions.<String, RuntimeException>together(
              connection,
              unit -> store.append(unit, List.of(approved()), Duration.ofDays(1)).toString());
        });

    assertThat(written()).containsExactly("payment", "message");
  }

  @Test
  void appendWithoutATransactionIsRefused() {
    assertThatThrownBy(() -> outbox.append(approved())).isInstanceOf(NoTransactionException.class);
  }

  private Payment payment() {
    return entities.find(Payment.class, "p1");
  }

  private static String rows(Connection connection) {
    return String.valueOf(
        new JdbcTemplate(new SingleConnectionDataSource(connection, true))
            .queryForObject("SELECT status FROM payment", String.class));
  }

  private List<String> written() {
    return database.seen("SELECT what FROM written ORDER BY seq");
  }

  private List<String> statuses() {
    return database.seen("SELECT status FROM payment");
  }

  private List<String> messages() {
    return database.seen("SELECT type FROM outbox");
  }

  private static Message approved() {
    return Message.event("PaymentApproved").to("payments").key("p1").json("{}").build();
  }
}
