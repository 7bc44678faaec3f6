package io.postroad.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayPass;
import io.postroad.trace.Operation;
import io.postroad.trace.Operation.Verb;
import io.postroad.trace.Span;
import io.postroad.trace.Tracing;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

/** Names, and what a tracer must not do to messages. */
class ObservedTracingTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final ObservationRegistry observations = ObservationRegistry.create();
  private final Message message = Message.event("OrderPlaced").to("orders").json("{}").build();

  @Test
  void metersOfObservationsHaveNoIds() {
    observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    Tracing tracing = ObservedTracing.of(observations).withSystem("kafka");
    for (Operation operation :
        new Operation[] {
          Operation.create(message), Operation.send(message), Operation.process(message)
        }) {
      tracing.start(operation).end();
    }

    Timer created =
        meters
            .get(OtelMessaging.CLIENT_OPERATION_DURATION)
            .tag(OtelMessaging.OPERATION_NAME, "create")
            .timer();
    assertThat(created.count()).isEqualTo(1);
    assertThat(created.getId().getTags())
        .contains(
            Tag.of(OtelMessaging.SYSTEM, "kafka"),
            Tag.of(OtelMessaging.DESTINATION, "orders"),
            Tag.of(OtelMessaging.MESSAGE_TYPE, "OrderPlaced"));
    assertThat(meters.get(OtelMessaging.PROCESS_DURATION).timer().count()).isEqualTo(1);
    assertThat(meters.getMeters())
        .flatExtracting(meter -> meter.getId().getTags())
        .extracting(Tag::getValue)
        .doesNotContain(message.id().toString());
  }

  @Test
  void namesCanBeReplacedForOneVerb() {
    observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    Tracing tracing =
        ObservedTracing.of(observations)
            .withConvention(
                new OperationConvention(Verb.CREATE) {
                  @Override
                  public String getName() {
                    return "my.appends";
                  }

                  @Override
                  public String getContextualName(Observation.Context context) {
                    return "append";
                  }
                });
    tracing.start(Operation.create(message)).end();
    tracing.start(Operation.send(message)).end();

    assertThat(meters.get("my.appends").timer().count()).isEqualTo(1);
    assertThat(meters.get(OtelMessaging.CLIENT_OPERATION_DURATION).timer().count()).isEqualTo(1);
  }

  @Test
  void aConventionOfTheRegistryIsUsed() {
    observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    observations
        .observationConfig()
        .observationConvention(
            new OperationConvention(Verb.PROCESS) {
              @Override
              public String getName() {
                return "my.handlers";
              }
            });
    ObservedTracing.of(observations).start(Operation.process(message)).end();

    assertThat(meters.get("my.handlers").timer().count()).isEqualTo(1);
  }

  /** Also with meters only: without a tracer nothing is stored. */
  @Test
  void withoutATracerMessagesAreStoredAsTheyAre() {
    ObservationRegistry timersOnly = ObservationRegistry.create();
    timersOnly.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    try (PostgresDatabase database = new PostgresDatabase("untraced")) {
      for (ObservationRegistry registry : new ObservationRegistry[] {observations, timersOnly}) {
        Message appended = message.toBuilder().build();
        append(database, ObservedTracing.of(registry), appended);
        assertThat(database.outbox().find(appended.id()).orElseThrow().message())
            .isEqualTo(appended);
      }
    }
    assertThat(ObservedTracing.of(observations).isOn()).as("a registry without handlers").isFalse();
  }

  @Test
  void aTracerThatThrowsChangesNothing() {
    Tracing broken =
        new Tracing() {
          @Override
          public Span start(Operation operation) {
            throw new IllegalStateException("broken");
          }
        };
    try (PostgresDatabase database = new PostgresDatabase("broken");
        OutboxRelay relay =
            OutboxRelay.builder(database.outbox(), new ScriptedSender()).tracing(broken).build()) {
      append(database, broken, message);
      RelayPass pass = relay.drain();

      assertThat(pass.delivered()).isEqualTo(1);
    }
  }

  private static void append(PostgresDatabase database, Tracing tracing, Message message) {
    Outbox<Connection> outbox = Outbox.over(database.outbox()).tracedBy(tracing);
    database.outbox().transactions().run(transaction -> outbox.append(transaction, message));
  }
}
