package io.postroad.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandRequest;
import io.postroad.command.DomainCommand;
import io.postroad.command.DuplicateCommandException;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.Incoming;
import io.postroad.inbox.PermanentFailure;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxOptions;
import io.postroad.outbox.OutboxRelay;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** A whole service with all meters, as Prometheus sees it, on each database. */
class ScrapeTest {
  /** What this work brings about; {@link SignalMetersTest} has the rest. */
  private static final Set<PostroadMeter> MOVED =
      EnumSet.of(
          PostroadMeter.OUTBOX_NEW,
          PostroadMeter.OUTBOX_DEDUPLICATED,
          PostroadMeter.OUTBOX_DONE,
          PostroadMeter.OUTBOX_PUBLISHED,
          PostroadMeter.OUTBOX_FAILED,
          PostroadMeter.OUTBOX_RECORDS_FAILED,
          PostroadMeter.OUTBOX_FAILED_EVENTS,
          PostroadMeter.OUTBOX_POLL_COUNT,
          PostroadMeter.OUTBOX_POLL_DURATION,
          PostroadMeter.OUTBOX_KEYS_HELD,
          PostroadMeter.OUTBOX_PENDING,
          PostroadMeter.OUTBOX_DEAD_LETTERS,
          PostroadMeter.OUTBOX_KEYS_PARKED,
          PostroadMeter.OUTBOX_MESSAGES_PARKED,
          PostroadMeter.INBOX_MESSAGES,
          PostroadMeter.COMMAND_ACCEPTED,
          PostroadMeter.COMMAND_REPEATED,
          PostroadMeter.COMMAND_CLAIMED,
          PostroadMeter.COMMAND_ENDED,
          PostroadMeter.COMMAND_DURATION,
          PostroadMeter.PROCESS_STARTED,
          PostroadMeter.PROCESS_ENDED,
          PostroadMeter.PROCESS_EVENTS,
          PostroadMeter.PROCESS_STEP_DURATION);

  private static final JsonCodec CODEC = JacksonJsonCodec.create();

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  record ReserveCommand(boolean works) implements DomainCommand {}

  record PayCommand(boolean works) implements DomainCommand {}

  record UnreserveCommand() implements DomainCommand {}

  @Test
  void everyMeterIsInTheScrapeAfterWorkOnPostgres() throws Exception {
    try (PostgresDatabase database = new PostgresDatabase("scrape")) {
      check(database);
    }
  }

  @Test
  void everyMeterIsInTheScrapeAfterWorkOnMongo() throws Exception {
    try (MongoDatabase database = new MongoDatabase("scrape")) {
      check(database);
    }
  }

  private <T> void check(Database<T> database) throws Exception {
    OutboxMeters meters = OutboxMeters.of(registry, "main");
    Outbox<T> outbox = Outbox.over(database.outbox(), OutboxOptions.defaults(), meters);
    try (OutboxRelay relay =
            OutboxRelay.builder(database.outbox(), new ScriptedSender()).observer(meters).build();
        OutboxGauges gauges = OutboxGauges.of(registry, "main", database.outbox());
        OutboxGauges retryGauges = OutboxGauges.of(registry, "retry", database.retries());
        InFlightGauge inFlight = InFlightGauge.of(registry, "relay", relay)) {
      assertThat(inFlight).isNotNull();
      assertThat(all(PostroadMeter.OUTBOX_PENDING)).as("before the first poll").isNaN();
      send(database, outbox, relay);
      receive(database);
      process(database);
      gauges.look();
      retryGauges.look();

      assertListed();
      assertMoved();
    }
    assertThat(registry.find(PostroadMeter.OUTBOX_PENDING.meterName()).gauges())
        .as("gauges of what is closed")
        .isEmpty();
  }

  private static <T> void send(Database<T> database, Outbox<T> outbox, OutboxRelay relay) {
    Message placed = order("OrderPlaced", "a").deduplicationKey("d-1").build();
    Message again = order("OrderPlaced", "a").deduplicationKey("d-1").build();
    database
        .outbox()
        .transactions()
        .run(
            transaction -> {
              outbox.append(transaction, placed);
              outbox.append(transaction, again);
              outbox.append(transaction, order(ScriptedSender.REFUSED, "b").build());
              outbox.append(transaction, order("OrderPaid", "b").build());
              outbox.append(transaction, order(ScriptedSender.NOT_NOW, "c").build());
            });
    var unused = relay.drain();
  }

  private static Message.Builder order(String type, String key) {
    return Message.event(type).to("orders").key(key).json("{}");
  }

  private <T> void receive(Database<T> database) {
    OutboxMeters retryMeters = OutboxMeters.of(registry, "retry");
    Handlers<T> handlers =
        Handlers.<T>builder()
            .on("orders", "OrderPlaced", "billing", (message, context) -> {})
            .on("orders", "Poison", "billing of poison", (message, context) -> refuse())
            .build();
    try (Inbox<T> inbox =
        Inbox.builder(database.inbox(), handlers)
            .retries(database.retries())
            .observer(InboxMeters.of(registry))
            .retryObserver(retryMeters)
            .build()) {
      Message placed = order("OrderPlaced", "a").build();
      for (Message message :
          List.of(placed, placed, order("Poison", "b").build(), order("Else", "c").build())) {
        assertThat(inbox.receive(Incoming.of(message), () -> false)).isTrue();
      }
      inbox.runOnce();
    }
  }

  private static void refuse() {
    throw new PermanentFailure("no such order");
  }

  private static final class Payment implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "Payment";
    }

    @Override
    public ProcessGraph defineProcess() {
      return process()
          .startWith(ReserveCommand.class)
          .withCompensation(UnreserveCommand.class)
          .then(PayCommand.class)
          .end();
    }
  }

  private <T> void process(Database<T> database) {
    AutoCommandHandlerRegistry<T> handlers =
        AutoCommandHandlerRegistry.<T>builder(CODEC)
            .on(ReserveCommand.class, (command, context) -> Map.of())
            .on(UnreserveCommand.class, (command, context) -> Map.of())
            .on(
                PayCommand.class,
                (command, context) -> {
                  if (!command.works()) {
                    throw new IllegalStateException("InsufficientFunds");
                  }
                  return Map.of();
                })
            .build();
    CommandBus.Builder<T> bus =
        CommandBus.builder(database.commands(), CODEC)
            .handlers(handlers)
            .observer(CommandMeters.of(registry));
    try (BaseProcessManager<T> manager =
        BaseProcessManager.builder(database.processes(), bus, CODEC)
            .process(new Payment())
            .observer(ProcessMeters.of(registry))
            .build()) {
      manager.startProcess("Payment", "payment-1", Map.of("works", true));
      manager.startProcess("Payment", "payment-2", Map.of("works", false));
      CommandRequest request = CommandRequest.of("Pay", "key-1", "p", "{\"works\":true}");
      manager.bus().accept(request);
      while (manager.runOnce() > 0) {
        // Until nothing is due.
      }
      Assertions.assertThatThrownBy(() -> manager.bus().accept(request))
          .isInstanceOf(DuplicateCommandException.class);
    }
  }

  /** Whatever is documented is there, under its name and as its kind. */
  private void assertListed() {
    String scrape = registry.scrape();
    for (PostroadMeter meter : PostroadMeter.values()) {
      String kind =
          switch (meter.kind()) {
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
            case TIMER -> "summary";
          };
      assertThat(scrape).contains("# TYPE %s %s\n".formatted(meter.prometheusName(), kind));
      for (String tag : meter.tags()) {
        String sample =
            scrape
                .lines()
                .filter(line -> line.startsWith(meter.prometheusName()))
                .findFirst()
                .orElseThrow();
        assertThat(sample).contains(tag + "=\"");
      }
    }
  }

  private void assertMoved() {
    for (PostroadMeter meter : MOVED) {
      assertThat(all(meter)).as(meter.meterName()).isPositive();
    }
    assertThat(all(PostroadMeter.PROCESSING_INFLIGHT)).isZero();
    assertThat(tagged(PostroadMeter.OUTBOX_DONE, "main")).isEqualTo(1);
    assertThat(tagged(PostroadMeter.OUTBOX_DEAD_LETTERS, "main")).isEqualTo(1);
    assertThat(tagged(PostroadMeter.OUTBOX_DEAD_LETTERS, "retry")).isEqualTo(1);
    assertThat(
            registry
                .get(PostroadMeter.PROCESS_ENDED.meterName())
                .tags("status", "COMPENSATED")
                .counter()
                .count())
        .isEqualTo(1);
  }

  private double tagged(PostroadMeter meter, String outbox) {
    return registry.get(meter.meterName()).tags("outbox", outbox).meters().stream()
        .mapToDouble(ScrapeTest::value)
        .sum();
  }

  private double all(PostroadMeter meter) {
    return registry.get(meter.meterName()).meters().stream().mapToDouble(ScrapeTest::value).sum();
  }

  /** What it counted, shows, or has timed. */
  private static double value(Meter meter) {
    return StreamSupport.stream(meter.measure().spliterator(), false)
        .filter(
            measured ->
                Arrays.asList(Statistic.COUNT, Statistic.VALUE).contains(measured.getStatistic()))
        .mapToDouble(measured -> measured.getValue())
        .sum();
  }
}
