package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.DomainCommand;
import io.postroad.inbox.Handlers;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.KafkaServer;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * One trace from the commit to the handler and back, between applications made by properties; the
 * same on both databases.
 */
abstract class TracesContract {
  private static final String SERVICE = "test.traced";

  private final TracedSpans spans = new TracedSpans();
  private final String store;

  /**
   * On a database.
   *
   * @param store its name, which is part of the names of topics and queues
   */
  TracesContract(String store) {
    this.store = store;
  }

  /** The properties of an application with a database of its own. */
  abstract Map<String, Object> freshDatabase();

  @Test
  void overKafka() throws Exception {
    KafkaServer kafka = KafkaServer.shared();
    List<String> topics = List.of(store + "-pay", store + "-replies", store + "-paid");
    topics.forEach(topic -> kafka.createTopic(topic, 1));
    commandReplyAndEvent(
        "kafka",
        topics,
        Map.of(
            "kafka.bootstrap.servers",
            kafka.bootstrapServers(),
            "postroad.kafka.receiver.settings.auto.offset.reset",
            "earliest"),
        service -> Map.of("postroad.kafka.receiver.group-id", store + "-" + service));
  }

  @Test
  void overArtemis() throws Exception {
    ArtemisServer artemis = ArtemisServer.shared();
    List<String> queues = List.of(store + ".PAY", store + ".REPLIES", store + ".PAID");
    queues.forEach(artemis::declareQueue);
    commandReplyAndEvent(
        "jms",
        queues,
        Map.of(
            "test.jms",
            "true",
            "test.jms.url",
            artemis.url(),
            "postroad.jms.receiver.enabled",
            "true"),
        service -> Map.of());
  }

  /** The command is sent to another application, which answers, and publishes an event. */
  private void commandReplyAndEvent(
      String system,
      List<String> destinations,
      Map<String, Object> broker,
      Function<String, Map<String, Object>> ofTheService)
      throws Exception {
    String pay = destinations.get(0);
    String replies = destinations.get(1);
    String paid = destinations.get(2);
    Map<String, Object> asking = new HashMap<>(broker);
    asking.putAll(ofTheService.apply("asking"));
    asking.put("postroad.commands.send.Pay", pay);
    asking.put("postroad.commands.reply-to", replies);
    asking.put("postroad.commands.owner", "asking");
    Map<String, Object> doing = new HashMap<>(broker);
    doing.putAll(ofTheService.apply("doing"));
    try (ApplicationContext other = app("doing", pay, paid, doing);
        ApplicationContext here = app("asking", pay, paid, asking)) {
      submitInACheckout(here);

      assertOneTrace(
          Map.ofEntries(
              Map.entry("create " + pay, "checkout"),
              Map.entry("send " + pay, "create " + pay),
              Map.entry("process " + pay, "create " + pay),
              Map.entry("process Pay", "create " + pay),
              Map.entry("create " + paid, "process Pay"),
              Map.entry("send " + paid, "create " + paid),
              Map.entry("process " + paid, "create " + paid),
              Map.entry("create " + replies, "process Pay"),
              Map.entry("send " + replies, "create " + replies),
              Map.entry("process " + replies, "create " + replies)),
          system,
          "send " + pay);
      assertThat(other.isRunning()).isTrue();
    }
  }

  @Test
  void withoutABroker() throws Exception {
    try (ApplicationContext here = app("alone", "pay", "paid", Map.of())) {
      submitInACheckout(here);

      assertOneTrace(
          Map.of(
              "process Pay", "create Pay",
              "create paid", "process Pay",
              "send paid", "create paid",
              "process paid", "create paid"),
          "postroad",
          "send paid");
    }
  }

  private ApplicationContext app(
      String service, String pay, String paid, Map<String, Object> more) {
    return Apps.with(freshDatabase(), SERVICE, service, "traced.pay", pay, "traced.paid", paid)
        .properties(more)
        .singletons(spans.newService())
        .start();
  }

  private static void submitInACheckout(ApplicationContext context) throws Exception {
    CommandBus<?> bus = context.getBean(CommandBus.class);
    CommandReply reply =
        Observation.createNotStarted("checkout", context.getBean(ObservationRegistry.class))
            .contextualName("checkout")
            .observeChecked(
                () ->
                    bus.submit(CommandRequest.of("Pay", "key-1", "order-1", "{\"order\":\"o\"}"))
                        .get(120, TimeUnit.SECONDS));
    assertThat(reply).isInstanceOf(CommandReply.Completed.class);
  }

  /**
   * All of one trace, each with its parent.
   *
   * @param parents of each span, by name
   * @param system that the span of the name {@code sent} is to have
   */
  private void assertOneTrace(Map<String, String> parents, String system, String sent)
      throws Exception {
    List<TracedSpans.Ended> all = spans.await(parents.keySet());
    Map<String, String> names = new HashMap<>();
    all.forEach(span -> names.put(span.id(), span.name()));
    String trace = named(all, "checkout").trace();
    parents.forEach(
        (name, parent) -> {
          TracedSpans.Ended span = named(all, name);
          assertThat(span.trace()).as("trace of %s among %s", name, all).isEqualTo(trace);
          assertThat(names.get(span.parent()))
              .as("parent of %s among %s", name, all)
              .isEqualTo(parent);
        });
    assertThat(named(all, sent).tags()).containsEntry("messaging.system", system);
  }

  private static TracedSpans.Ended named(List<TracedSpans.Ended> all, String name) {
    List<TracedSpans.Ended> found = all.stream().filter(span -> span.name().equals(name)).toList();
    assertThat(found).as("spans '%s' among %s", name, all).hasSize(1);
    return found.get(0);
  }

  record PayCommand(String order) implements DomainCommand {}

  /** Handles the command, where that is done. */
  @Singleton
  @Requires(property = SERVICE, pattern = "doing|alone")
  static class Paying {
    private final Outbox<?> outbox;
    private final String paid;

    Paying(Outbox<?> outbox, @Value("${traced.paid}") String paid) {
      this.outbox = outbox;
      this.paid = paid;
    }

    @Transactional
    public void pay(PayCommand command) {
      var unused =
          outbox.append(Message.event("Paid").to(paid).key(command.order()).json("{}").build());
    }
  }

  @Factory
  @Requires(property = SERVICE)
  static class Received {
    @Singleton
    @Requires(property = SERVICE, pattern = "asking|alone")
    <T> Handlers<T> events(CommandBus<T> bus, @Value("${traced.paid}") String paid) {
      return bus.receive(
              Handlers.<T>builder().onAny(paid, "events", (message, context) -> {}), Map.of())
          .build();
    }

    @Singleton
    @Requires(property = SERVICE, value = "doing")
    <T> Handlers<T> commands(CommandBus<T> bus, @Value("${traced.pay}") String pay) {
      return bus.receive(Handlers.<T>builder(), Map.of("Pay", pay)).build();
    }
  }
}
