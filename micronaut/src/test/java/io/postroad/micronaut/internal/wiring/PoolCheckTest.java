package io.postroad.micronaut.internal.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.command.CommandBus;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.inbox.Inbox;
import io.postroad.micronaut.Apps;
import io.postroad.micronaut.Beans;
import io.postroad.servers.PostgresServer;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The pool that handlers share with requests, and whose transactions are on it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoolCheckTest {
  private Map<String, Object> database = Map.of();

  @BeforeAll
  void create() {
    database =
        Map.of(
            "datasources.default.url",
            PostgresServer.shared().createDatabase("micronaut_pool"),
            "datasources.default.minimum-idle",
            0,
            "postroad.store.schema-mode",
            "migrate");
  }

  @Test
  void withoutASizeThePoolHasTenAsHikariSaysAndHandlersShareHalfOfIt() {
    try (ApplicationContext context = Apps.with(database, Beans.ASKED, "sender,greeter").start()) {
      assertThat(context.getBean(CommandBus.class).options().concurrency()).isEqualTo(5);
      assertThat(context.getBean(ConnectionBudget.class).warning()).isEmpty();
    }
  }

  @Test
  void twoPartsShareTheRestBesideRelayInboxAndBus() {
    try (ApplicationContext context =
        Apps.with(database, Beans.ASKED, "sender,greeter,handlers").start()) {
      assertThat(context.getBean(CommandBus.class).options().concurrency())
          .as("ten connections, six for relay, inbox and bus, the rest for two")
          .isEqualTo(2);
      assertThat(context.getBean(Inbox.class).options().concurrency()).isEqualTo(2);
      assertThat(context.getBean(ConnectionBudget.class).warning()).isEmpty();
    }
  }

  @Test
  void onlyPartsThatAreThereAreCounted() {
    try (ApplicationContext context = Apps.with(database, Beans.ASKED, "sender,handlers").start()) {
      assertThat(context.getBean(Inbox.class).options().concurrency())
          .as("there are no commands")
          .isEqualTo(5);
    }
  }

  @Test
  void partsAreAddedUpBecauseTheyShareThePool() {
    try (ApplicationContext context =
        Apps.with(
                database,
                Beans.ASKED,
                "sender,greeter,handlers",
                "datasources.default.maximum-pool-size",
                20,
                "postroad.commands.concurrency",
                10,
                "postroad.inbox.concurrency",
                6)
            .start()) {
      assertThat(context.getBean(ConnectionBudget.class).warning())
          .get()
          .asString()
          .contains("the 20 connections")
          .contains("16 run at once")
          .contains("postroad.commands.concurrency=10, postroad.inbox.concurrency=6")
          .contains("raise the pool to 32");
    }
  }

  @Test
  void aPoolThatIsLargeEnoughIsFine() {
    try (ApplicationContext context =
        Apps.with(
                database,
                Beans.ASKED,
                "sender,greeter",
                "datasources.default.maximum-pool-size",
                20,
                "postroad.commands.concurrency",
                10)
            .start()) {
      assertThat(context.getBean(ConnectionBudget.class).warning()).isEmpty();
    }
  }

  /** Messages would be stored in one database, in the transactions of the other. */
  @Test
  void transactionsOfAnotherDataSourceAreRefused() {
    assertThatThrownBy(
            () ->
                Apps.with(
                        database,
                        Beans.ASKED,
                        "sender,foreign",
                        "datasources.other.url",
                        PostgresServer.shared().createDatabase("micronaut_other"),
                        "datasources.other.minimum-idle",
                        0)
                    .start()
                    .close())
        .hasMessageContaining("on another DataSource than the one of Postroad (the primary one)")
        .hasMessageContaining("postroad.store.datasource");
  }

  @Factory
  @Requires(property = Beans.ASKED, pattern = ".*foreign.*")
  static class Foreign {
    @Singleton
    @Primary
    TransactionOperations<Connection> foreign(
        @Named("other") TransactionOperations<Connection> ofTheOther) {
      return ofTheOther;
    }
  }
}
