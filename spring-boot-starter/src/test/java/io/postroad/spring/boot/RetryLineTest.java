package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.postroad.admin.OutboxAdmin;
import io.postroad.framework.RetryLine;
import io.postroad.framework.RetryLineObserver;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.Incoming;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.Message;
import io.postroad.micrometer.OutboxGauges;
import io.postroad.outbox.OutboxSignal;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.spi.InboxStore;
import io.postroad.spring.boot.internal.PostroadHealthIndicator;
import io.postroad.spring.boot.test.PostroadTest;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;

/** The retry line of the inbox in health, endpoint and meters, and as beans. */
class RetryLineTest {
  private static final AtomicBoolean BROKEN = new AtomicBoolean();

  private ApplicationContextRunner application = new ApplicationContextRunner();

  @BeforeEach
  void create() {
    BROKEN.set(true);
    application =
        new ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    PostroadPostgresAutoConfiguration.class,
                    PostroadOutboxAutoConfiguration.class,
                    PostroadInboxAutoConfiguration.class,
                    PostroadRelayAutoConfiguration.class,
                    PostroadMicrometerAutoConfiguration.class,
                    PostroadActuatorAutoConfiguration.class))
            .withPropertyValues(TestDatabases.postgres("retry_line"))
            .withPropertyValues(
                "spring.application.name=orders",
                "management.endpoints.web.exposure.include=postroad",
                "postroad.endpoint.writes-enabled=true")
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withUserConfiguration(Application.class);
  }

  @Test
  void aMessageThatDiesThereIsInHealthEndpointAndMeters() {
    application.run(
        context -> {
          assertThat(health(context).getStatus()).isEqualTo(Status.UP);
          receivePoison(context);

          Health health = health(context);
          assertThat(health.getStatus()).isEqualTo(PostroadHealthIndicator.DEGRADED);
          assertThat(String.valueOf(health.getDetails().get("reasons")))
              .contains("in the retry line: ");
          assertThat(String.valueOf(health.getDetails().get("retries"))).contains("dead=1");
          assertThat(health.getDetails()).containsEntry("dead", 0L);

          PostroadEndpoint endpoint = context.getBean(PostroadEndpoint.class);
          assertThat(endpoint.overview()).extracting("retries").extracting("dead").isEqualTo(1L);
          assertThat(endpoint.overview()).containsEntry("dead", 0L);
          assertThat(letters(endpoint))
              .singleElement()
              .satisfies(
                  letter ->
                      assertThat(letter)
                          .containsEntry("type", "Poison")
                          .as("the source")
                          .containsEntry("destination", "payments"));

          MeterRegistry registry = context.getBean(MeterRegistry.class);
          context.getBean("postroadRetryGauges", OutboxGauges.class).look();
          context.getBean("postroadOutboxGauges", OutboxGauges.class).look();
          assertThat(count(registry, "orders-retry")).isEqualTo(1);
          assertThat(count(registry, "orders")).as("of the outbox itself").isZero();
          assertThat(dead(registry, "orders-retry")).isEqualTo(1);
          assertThat(dead(registry, "orders")).isZero();
        });
  }

  @Test
  void anOperatorReplaysItByTheEndpoint() {
    application.run(
        context -> {
          receivePoison(context);
          PostroadEndpoint endpoint = context.getBean(PostroadEndpoint.class);
          String id = String.valueOf(letters(endpoint).get(0).get("id"));
          BROKEN.set(false);

          assertThat(endpoint.decide("replay", id, null, "fixed", SecurityContext.NONE).getStatus())
              .as("it is no dead letter of the outbox")
              .isEqualTo(400);
          endpoint.decideIn("retries", "replay", id, null, "fixed", SecurityContext.NONE);
          context.getBean(Inbox.class).runOnce();

          assertThat(endpoint.overview()).extracting("retries").extracting("dead").isEqualTo(0L);
          assertThat(context.getBean(Handled.class).types()).containsExactly("Poison");
          assertThat(health(context).getStatus()).isEqualTo(Status.UP);
          assertThat(endpoint.listOf("returns", "dead-letters").getBody())
              .hasEntrySatisfying(
                  "error",
                  text -> assertThat(text).asString().contains("the retry line is at 'retries'"));
        });
  }

  @Test
  void itsAdminIsABeanThatIsInjectedByName() {
    application
        .withUserConfiguration(Operators.class)
        .run(
            context -> {
              receivePoison(context);
              Desk desk = context.getBean(Desk.class);
              assertThat(desk.retries().backlog().dead()).isEqualTo(1);
              assertThat(desk.outbox().backlog().dead()).isZero();
            });
  }

  @Test
  void itsObserversHearOfItAndOfNothingElse() {
    List<OutboxSignal> heard = new CopyOnWriteArrayList<>();
    application
        .withBean(RetryLineObserver.class, () -> heard::add)
        .run(
            context -> {
              receivePoison(context);
              assertThat(heard).hasAtLeastOneElementOfType(OutboxSignal.Died.class);
            });
  }

  @Test
  void aRetryLineOfTheApplicationReplacesOurs() {
    application
        .withUserConfiguration(OwnLine.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(RetryLine.class);
              receivePoison(context);
              assertThat(context.getBean("ownLine", RetryLine.class).store().backlog().dead())
                  .isEqualTo(1);
              assertThat(context.getBean(PostroadEndpoint.class).overview())
                  .extracting("retries")
                  .extracting("dead")
                  .isEqualTo(1L);
            });
  }

  /** Then its retries are its own, and it is started and stopped like ours. */
  @Test
  void anInboxOfTheApplicationReplacesOursWithItsRetryLine() {
    application
        .withUserConfiguration(OwnInbox.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(Inbox.class).doesNotHaveBean(RetryLine.class);
              assertThat(context).hasBean("postroadInboxLifecycle");
              PostroadEndpoint endpoint = context.getBean(PostroadEndpoint.class);
              assertThat(endpoint.overview()).doesNotContainKey("retries");
              assertThat(endpoint.listOf("retries", "audit").getBody())
                  .hasEntrySatisfying(
                      "error", text -> assertThat(text).asString().contains("no RetryLine bean"));
            });
  }

  private static void receivePoison(AssertableApplicationContext context) {
    Inbox<?> inbox = context.getBean(Inbox.class);
    Message poison = Message.event("Poison").to("payments").key("k").json("{}").build();
    assertThat(inbox.receive(Incoming.of(poison), () -> false)).isTrue();
    inbox.runOnce();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> letters(PostroadEndpoint endpoint) {
    Map<String, Object> body =
        Objects.requireNonNull(endpoint.listOf("retries", "dead-letters").getBody());
    return (List<Map<String, Object>>) Objects.requireNonNull(body.get("dead-letters"));
  }

  private static double count(MeterRegistry registry, String outbox) {
    return registry.get("outbox.failed.events").tag("outbox", outbox).counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  private static double dead(MeterRegistry registry, String outbox) {
    return registry.get("outbox.dead.letters").tag("outbox", outbox).gauge().value();
  }

  private static Health health(AssertableApplicationContext context) {
    return Objects.requireNonNull(
        context.getBean("postroadHealthIndicator", HealthIndicator.class).health());
  }

  /** What was handled. */
  record Handled(List<String> types) {}

  @PostroadTest
  static class Application {

    @Bean
    Handled handled() {
      return new Handled(new CopyOnWriteArrayList<>());
    }

    @Bean
    Handlers<Connection> handlers(Handled handled) {
      return Handlers.<Connection>builder()
          .onAny(
              "payments",
              "billing",
              (message, context) -> {
                if (BROKEN.get()) {
                  throw new PermanentFailure("no such payment");
                }
                handled.types().add(message.type());
              })
          .build();
    }
  }

  /** Decides about dead letters. */
  record Desk(OutboxAdmin outbox, OutboxAdmin retries) {}

  static class Operators {
    @Bean
    Desk desk(OutboxAdmin outbox, @Qualifier("postroadRetryAdmin") OutboxAdmin retries) {
      return new Desk(outbox, retries);
    }
  }

  static class OwnInbox {
    @Bean(destroyMethod = "close")
    Inbox<Connection> ownInbox(InboxStore<Connection> store, Handlers<Connection> handlers) {
      return Inbox.builder(store, handlers).build();
    }
  }

  static class OwnLine {
    @Bean(destroyMethod = "close")
    RetryLine<Connection> ownLine(DataSource dataSource, PostgresOptions options) {
      return new RetryLine<>(PostgresOrderedStore.open(dataSource, options.withPrefix("again_")));
    }
  }
}
