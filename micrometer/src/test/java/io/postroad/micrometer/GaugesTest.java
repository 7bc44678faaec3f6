package io.postroad.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandRequest;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is asked for, not told: the backlog in the database, and what is in flight here. */
@Timeout(120)
class GaugesTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double shown(PostroadMeter meter) {
    return registry.get(meter.meterName()).gauge().value();
  }

  @Test
  void theBacklogIsUnknownWhileTheDatabaseCannotBeAsked() {
    try (PostgresDatabase database = new PostgresDatabase("gauges");
        OutboxGauges gauges = OutboxGauges.of(registry, "main", database.outbox())) {
      assertThat(shown(PostroadMeter.OUTBOX_PENDING)).as("before the first look").isNaN();
      append(database, Message.event("OrderPlaced").to("orders").json("{}").build());
      gauges.look();
      assertThat(shown(PostroadMeter.OUTBOX_PENDING)).isEqualTo(1);
      assertThat(shown(PostroadMeter.OUTBOX_LAG)).isNotNegative();
      assertThat(shown(PostroadMeter.OUTBOX_DEAD_LETTERS)).isZero();

      database.close();
      gauges.look();

      assertThat(shown(PostroadMeter.OUTBOX_PENDING)).isNaN();
      assertThat(shown(PostroadMeter.OUTBOX_LAG)).isNaN();
    }
  }

  @Test
  void theBacklogIsLookedAtInTheBackground() {
    try (PostgresDatabase database = new PostgresDatabase("gauges");
        OutboxGauges gauges = OutboxGauges.of(registry, "main", database.outbox())) {
      append(database, Message.event("OrderPlaced").to("orders").json("{}").build());
      gauges.start(Duration.ofHours(1));
      gauges.start(Duration.ofHours(1));
      while (Double.isNaN(shown(PostroadMeter.OUTBOX_PENDING))) {
        Thread.onSpinWait();
      }
      assertThat(shown(PostroadMeter.OUTBOX_PENDING)).isEqualTo(1);
    }
    assertThat(registry.getMeters()).as("after the close").isEmpty();
  }

  private static void append(PostgresDatabase database, Message message) {
    Outbox<Connection> outbox = Outbox.over(database.outbox());
    database.outbox().transactions().run(transaction -> outbox.append(transaction, message));
  }

  @Test
  void messagesAreInFlightUntilTheirOutcomeIsKnown() throws Exception {
    HoldingSender sender = new HoldingSender();
    try (PostgresDatabase database = new PostgresDatabase("gauges");
        OutboxRelay relay = OutboxRelay.builder(database.outbox(), sender).build();
        InFlightGauge gauge = InFlightGauge.of(registry, "relay", relay)) {
      assertThat(gauge).isNotNull();
      assertThat(shown(PostroadMeter.PROCESSING_INFLIGHT)).isZero();
      append(database, Message.event("OrderPlaced").to("orders").json("{}").build());
      relay.start();
      CompletableFuture<SendOutcome> held = sender.held.get(60, TimeUnit.SECONDS);
      assertThat(shown(PostroadMeter.PROCESSING_INFLIGHT)).isEqualTo(1);
      held.complete(new SendOutcome.Accepted(Map.of()));
      relay.stop();
      assertThat(shown(PostroadMeter.PROCESSING_INFLIGHT)).isZero();
    }
    assertThat(registry.getMeters()).as("after the close").isEmpty();
  }

  @Test
  void commandsAreInFlightWhileTheirHandlerRuns() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    CompletableFuture<Double> inside = new CompletableFuture<>();
    AutoCommandHandlerRegistry<Connection> handlers =
        AutoCommandHandlerRegistry.<Connection>builder(JacksonJsonCodec.create())
            .on(
                "Pay",
                Map.class,
                (command, context) -> {
                  inside.complete(shown(PostroadMeter.PROCESSING_INFLIGHT));
                  assertThat(mayEnd.await(50, TimeUnit.SECONDS)).isTrue();
                  return Map.of();
                })
            .build();
    try (PostgresDatabase database = new PostgresDatabase("gauges");
        CommandBus<Connection> bus =
            CommandBus.builder(database.commands(), JacksonJsonCodec.create())
                .handlers(handlers)
                .build();
        InFlightGauge gauge = InFlightGauge.of(registry, "commands", bus)) {
      assertThat(gauge).isNotNull();
      bus.start();
      assertThat(shown(PostroadMeter.PROCESSING_INFLIGHT)).isZero();
      UUID id = bus.accept(CommandRequest.of("Pay", "key-1", "p-1", "{}"));
      assertThat(inside.get(60, TimeUnit.SECONDS)).isEqualTo(1);
      mayEnd.countDown();
      assertThat(bus.await(id).get(60, TimeUnit.SECONDS)).isNotNull();
    }
  }

  /** Keeps the outcome of its first message to itself. */
  private static final class HoldingSender implements MessageSender {
    private final CompletableFuture<CompletableFuture<SendOutcome>> held =
        new CompletableFuture<>();

    @Override
    public String name() {
      return "holding";
    }

    @Override
    public Duration timeout() {
      return Duration.ofSeconds(20);
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
      held.complete(outcome);
      return List.of(outcome);
    }

    @Override
    public void close() {}
  }
}
