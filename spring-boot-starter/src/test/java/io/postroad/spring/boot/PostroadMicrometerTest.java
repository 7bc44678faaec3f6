package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.postroad.message.Message;
import io.postroad.micrometer.CommandMeters;
import io.postroad.micrometer.InFlightGauge;
import io.postroad.micrometer.InboxMeters;
import io.postroad.micrometer.ObservedTracing;
import io.postroad.micrometer.OutboxGauges;
import io.postroad.micrometer.OutboxMeters;
import io.postroad.micrometer.ProcessMeters;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spring.SpringJdbcTransactions;
import io.postroad.trace.Tracing;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

/** Meters and traces come with the registries of the application, and only then. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostroadMicrometerTest {
  private String[] database = {};

  @BeforeAll
  void createDatabase() {
    database = TestDatabases.postgres("micrometer");
  }

  private ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class,
                TransactionAutoConfiguration.class,
                PostroadPostgresAutoConfiguration.class,
                PostroadOutboxAutoConfiguration.class,
                PostroadInboxAutoConfiguration.class,
                PostroadCommandAutoConfiguration.class,
                PostroadTransportAutoConfiguration.class,
                PostroadRelayAutoConfiguration.class,
                PostroadMicrometerAutoConfiguration.class))
        .withPropertyValues(database)
        .withPropertyValues("spring.application.name=orders")
        .withBean(MessageSender.class, RecordingSender::new);
  }

  @Test
  void messagesAreCountedUnderTheNameOfTheApplication() {
    application()
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              assertThat(context)
                  .hasSingleBean(OutboxMeters.class)
                  .hasSingleBean(InboxMeters.class)
                  .hasSingleBean(CommandMeters.class)
                  .hasSingleBean(ProcessMeters.class)
                  .hasSingleBean(OutboxGauges.class)
                  .hasSingleBean(InFlightGauge.class)
                  .doesNotHaveBean(Tracing.class);
              append(context);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(
                      registry
                          .get("outbox.new")
                          .tag("outbox", "orders")
                          .tag("destination", "payments")
                          .counter()
                          .count())
                  .isEqualTo(1);
              assertThat(registry.get("outbox.lag.seconds").tag("outbox", "orders").gauge())
                  .isNotNull();
            });
  }

  @Test
  void withoutARegistryNothingIsCountedOrFollowed() {
    application()
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(Outbox.class)
                    .doesNotHaveBean(OutboxMeters.class)
                    .doesNotHaveBean(OutboxGauges.class)
                    .doesNotHaveBean(Tracing.class));
  }

  @Test
  void withoutTheModuleNothingIsMissed() {
    application()
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withClassLoader(new FilteredClassLoader("io.postroad.micrometer"))
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Outbox.class));
  }

  @Test
  void metersOfTheApplicationReplaceOurs() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    OutboxMeters own = OutboxMeters.of(registry, "own");
    application()
        .withBean(MeterRegistry.class, () -> registry)
        .withBean(OutboxMeters.class, () -> own)
        .run(
            context -> {
              assertThat(context.getBean(OutboxMeters.class)).isSameAs(own);
              append(context);
              assertThat(registry.get("outbox.new").tag("outbox", "own").counters())
                  .anySatisfy(counter -> assertThat(counter.count()).isEqualTo(1));
            });
  }

  @Test
  void aTimeThatIsNoneIsRefusedWithTheWayOut() {
    application()
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withPropertyValues("postroad.metrics.look-every=0s")
        .run(
            context ->
                assertThat(context).getFailure().rootCause().hasMessageContaining("positive"));
  }

  @Test
  void withAnObservationRegistryAppendsAreFollowed() {
    List<String> seen = new CopyOnWriteArrayList<>();
    ObservationRegistry registry = ObservationRegistry.create();
    registry
        .observationConfig()
        .observationHandler(
            new ObservationHandler<Observation.Context>() {
              @Override
              public void onStop(Observation.Context stopped) {
                seen.add(String.valueOf(stopped.getContextualName()));
              }

              @Override
              public boolean supportsContext(Observation.Context any) {
                return true;
              }
            });
    application()
        .withBean(ObservationRegistry.class, () -> registry)
        .run(
            context -> {
              assertThat(context.getBean(Tracing.class)).isInstanceOf(ObservedTracing.class);
              append(context);
              assertThat(seen).contains("create payments");
            });
  }

  private static void append(AssertableApplicationContext context) {
    Outbox<?> outbox = context.getBean(Outbox.class);
    context
        .getBean(SpringJdbcTransactions.class)
        .run(
            connection ->
                outbox.append(Message.event("Approved").to("payments").json("{}").build()));
  }
}
