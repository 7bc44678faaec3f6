package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.spring.SpringJdbcTransactions;
import io.postroad.spring.boot.internal.PostroadHealthIndicator;
import io.postroad.spring.boot.internal.settings.RelayProperties;
import io.postroad.spring.boot.test.PostroadTest;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health and the endpoint, on a real PostgreSQL. */
class PostroadActuatorTest {
  private static final String EXPOSED = "management.endpoints.web.exposure.include=postroad";
  private static final String WRITES = "postroad.endpoint.writes-enabled=true";

  private ApplicationContextRunner application = new ApplicationContextRunner();

  @BeforeEach
  void create() {
    application =
        new ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    PostroadPostgresAutoConfiguration.class,
                    PostroadOutboxAutoConfiguration.class,
                    PostroadRelayAutoConfiguration.class,
                    PostroadActuatorAutoConfiguration.class))
            .withPropertyValues(TestDatabases.postgres("actuator"))
            .withPropertyValues(EXPOSED);
  }

  private ApplicationContextRunner byHand() {
    return application.withUserConfiguration(Published.class);
  }

  @Test
  void aStoreThatWorksIsUp() {
    byHand()
        .run(
            context -> {
              Health health = health(context);
              assertThat(health.getStatus()).isEqualTo(Status.UP);
              assertThat(health.getDetails()).containsEntry("pending", 0L);
            });
  }

  /** The application works on, and what it appends is kept. */
  @Test
  void aBrokerThatIsAwayIsUpUntilTheBacklogIsTooLarge() {
    byHand()
        .withPropertyValues("postroad.health.max-pending=2")
        .run(
            context -> {
              append(context, "A", "B");
              assertThat(health(context).getStatus()).isEqualTo(Status.UP);
              append(context, "C");
              Health health = health(context);
              assertThat(health.getStatus()).isEqualTo(PostroadHealthIndicator.DEGRADED);
              assertThat(reasons(health))
                  .contains("3 messages wait")
                  .contains("postroad.health.max-pending=2");
            });
  }

  @Test
  void aRelayThatHasEndedIsDegraded() {
    application
        .withBean(RecordingSender.class, RecordingSender::new)
        .run(
            context -> {
              append(context, "A");
              context.getBean(RecordingSender.class).awaitOne();
              assertThat(health(context).getStatus()).isEqualTo(Status.UP);
              context.getBean(OutboxRelay.class).stop();
              Health health = health(context);
              assertThat(health.getStatus()).isEqualTo(PostroadHealthIndicator.DEGRADED);
              assertThat(reasons(health)).contains("not running");
            });
  }

  @Test
  void aStoreThatCannotBeReachedIsDown() {
    byHand()
        .run(
            context -> {
              context.getBean(HikariDataSource.class).close();
              assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            });
  }

  @Test
  void healthAndEndpointCanBeSwitchedOff() {
    byHand()
        .withPropertyValues("management.health.postroad.enabled=false", EXPOSED + "d")
        .run(
            context ->
                assertThat(context)
                    .doesNotHaveBean(HealthIndicator.class)
                    .doesNotHaveBean(PostroadEndpoint.class));
  }

  @Test
  void withoutAnActuatorThereIsNeither() {
    byHand()
        .withClassLoader(new FilteredClassLoader(HealthIndicator.class, Endpoint.class))
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(Outbox.class)
                    .doesNotHaveBean(PostroadEndpoint.class)
                    .doesNotHaveBean("postroadHealthIndicator"));
  }

  @Test
  void theEndpointShowsHowTheOutboxStands() {
    byHand()
        .run(
            context -> {
              append(context, "A");
              PostroadEndpoint endpoint = context.getBean(PostroadEndpoint.class);
              assertThat(endpoint.overview()).containsEntry("pending", 1L);
              assertThat(body(endpoint.list("dead-letters")).toString())
                  .isEqualTo("{dead-letters=[]}");
              assertThat(body(endpoint.list("parked-keys")).toString())
                  .isEqualTo("{parked-keys=[]}");
              assertRefused(
                  endpoint.list("everything"), 400, "dead-letters, parked-keys, paused, audit");
            });
  }

  @Test
  void aListThatTheStoreDoesNotHaveIsRefused() {
    byHand()
        .withUserConfiguration(WithoutOrder.class)
        .run(
            context -> {
              PostroadEndpoint endpoint = context.getBean(PostroadEndpoint.class);
              assertThat(body(endpoint.list("dead-letters")).toString())
                  .isEqualTo("{dead-letters=[]}");
              assertRefused(endpoint.list("parked-keys"), 400, "list blocked keys");
            });
  }

  @Test
  void changesAreOffUnlessSwitchedOn() {
    byHand()
        .run(
            context -> {
              PostroadEndpoint endpoint = context.getBean(PostroadEndpoint.class);
              assertRefused(
                  endpoint.decide("pause", null, "things", "a test", person("ada")),
                  403,
                  "postroad.endpoint.writes-enabled");
              assertThat(endpoint.overview()).containsEntry("paused", List.of());
            });
  }

  @Test
  void changesAreAuditedWithTheirActor() {
    byHand()
        .withPropertyValues(WRITES)
        .run(
            context -> {
              PostroadEndpoint endpoint = context.getBean(PostroadEndpoint.class);
              endpoint.decide("pause", null, "things", "the broker moves", person("ada"));
              assertThat(listed(endpoint, "paused")).hasSize(1);
              endpoint.decide("resume", null, "things", "it has moved", SecurityContext.NONE);
              assertThat(endpoint.overview()).containsEntry("paused", List.of());

              assertThat(listed(endpoint, "audit"))
                  .extracting(entry -> entry.get("by"))
                  .containsExactly("actuator (not logged in)", "ada");
              assertRefused(
                  endpoint.decide("resume", null, "things", "again", person("ada")),
                  400,
                  "is not paused");
              assertRefused(
                  endpoint.decide("replay", null, null, "?", person("ada")), 400, "id is missing");
              assertRefused(
                  endpoint.decide("pause", null, "things", null, person("ada")),
                  400,
                  "reason is missing");
              assertRefused(
                  endpoint.decide("dance", null, null, "?", person("ada")),
                  400,
                  "replay, skip, discard, pause and resume");
            });
  }

  @Test
  void aDeadLetterIsListedWithoutItsPayloadAndReplayed() {
    application
        .withPropertyValues(WRITES, "postroad.relay.max-attempts=1")
        .withUserConfiguration(Published.class)
        .run(
            context -> {
              append(context, "Poison");
              OutboxRelay refusing =
                  OutboxRelay.builder(
                          context.getBean(io.postroad.spi.OutboxStore.class), new Refusing())
                      .options(context.getBean(RelayProperties.class).options())
                      .build();
              var unused = refusing.drain();
              PostroadEndpoint endpoint = context.getBean(PostroadEndpoint.class);
              assertThat(endpoint.overview()).containsEntry("dead", 1L);
              String list = body(endpoint.list("dead-letters")).toString();
              assertThat(list).contains("Poison").contains("refused").doesNotContain("secret");
              String id = String.valueOf(listed(endpoint, "dead-letters").get(0).get("id"));

              endpoint.decide("replay", id, null, "fixed", person("ada"));

              assertThat(endpoint.overview())
                  .containsEntry("dead", 0L)
                  .containsEntry("pending", 1L);
              String unknown = UUID.randomUUID().toString();
              assertRefused(
                  endpoint.decide("replay", unknown, null, "fixed", person("ada")), 400, unknown);
            });
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> listed(PostroadEndpoint endpoint, String name) {
    return (List<Map<String, Object>>) Objects.requireNonNull(body(endpoint.list(name)).get(name));
  }

  private static Map<String, Object> body(WebEndpointResponse<Map<String, Object>> answer) {
    assertThat(answer.getStatus()).isEqualTo(200);
    return Objects.requireNonNull(answer.getBody());
  }

  private static void assertRefused(
      WebEndpointResponse<Map<String, Object>> answer, int status, String text) {
    assertThat(answer.getStatus()).isEqualTo(status);
    assertThat(String.valueOf(Objects.requireNonNull(answer.getBody()).get("error")))
        .contains(text);
  }

  private static String reasons(Health health) {
    return String.valueOf(health.getDetails().get("reasons"));
  }

  private static SecurityContext person(String name) {
    return new SecurityContext() {
      @Override
      public Principal getPrincipal() {
        return () -> name;
      }

      @Override
      public boolean isUserInRole(String role) {
        return true;
      }
    };
  }

  private static Health health(AssertableApplicationContext context) {
    return Objects.requireNonNull(
        context.getBean("postroadHealthIndicator", HealthIndicator.class).health());
  }

  private static void append(AssertableApplicationContext context, String... types) {
    Outbox<?> outbox = context.getBean(Outbox.class);
    context
        .getBean(SpringJdbcTransactions.class)
        .run(
            connection -> {
              for (String type : types) {
                var unused =
                    outbox.append(
                        Message.event(type).to("things").json("{\"pin\":\"secret\"}").build());
              }
            });
  }

  @PostroadTest
  static class Published {}

  @Configuration(proxyBeanMethods = false)
  static class WithoutOrder {
    @Bean
    PostgresCompetingStore competing(DataSource dataSource, PostgresOptions options) {
      return PostgresCompetingStore.open(dataSource, options);
    }
  }

  /** A broker that takes nothing. */
  private static final class Refusing implements MessageSender {
    @Override
    public String name() {
      return "refusing";
    }

    @Override
    public Duration timeout() {
      return Duration.ofSeconds(1);
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      return messages.stream()
          .<CompletionStage<SendOutcome>>map(
              each ->
                  CompletableFuture.completedFuture(
                      new SendOutcome.Rejected("refused", SendOutcome.Again.NEVER)))
          .toList();
    }

    @Override
    public void close() {}
  }
}
