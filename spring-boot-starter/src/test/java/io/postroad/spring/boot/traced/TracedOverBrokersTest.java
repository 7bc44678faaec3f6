package io.postroad.spring.boot.traced;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.DomainCommand;
import io.postroad.inbox.Handlers;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.KafkaServer;
import io.postroad.spring.boot.TestDatabases;
import jakarta.jms.ConnectionFactory;
import java.sql.Connection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.transaction.annotation.Transactional;

/** One trace between two applications: from the commit over a broker to the handler, and back. */
class TracedOverBrokersTest {
  private final EndedSpans spans = new EndedSpans();

  @Test
  void overKafka() throws Exception {
    KafkaServer kafka = KafkaServer.shared();
    List<String> topics = List.of("spring-pay", "spring-replies", "spring-paid");
    topics.forEach(topic -> kafka.createTopic(topic, 1));

    commandReplyAndEvent(
        "kafka",
        topics,
        "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
        "postroad.kafka.receiver.group-id=${spring.application.name}");
  }

  /** Spring Boot's own connection to Kafka is there, too, and is not what the trace names. */
  @Test
  void overArtemis() throws Exception {
    ArtemisServer artemis = ArtemisServer.shared();
    List<String> queues = List.of("SPRING.PAY", "SPRING.REPLIES", "SPRING.PAID");
    queues.forEach(artemis::declareQueue);

    commandReplyAndEvent(
        "jms",
        queues,
        "artemis.url=" + artemis.url(),
        "postroad.relay.transport=jms",
        "postroad.jms.receiver.enabled=true");
  }

  /** The command is sent to another application, which answers, and publishes an event. */
  private void commandReplyAndEvent(String system, List<String> destinations, String... broker)
      throws Exception {
    String pay = destinations.get(0);
    String replies = destinations.get(1);
    String paid = destinations.get(2);
    try (ConfigurableApplicationContext other =
            application(Doing.class, "traced-doing", broker)
                .properties("traced.pay=" + pay, "traced.paid=" + paid)
                .run();
        ConfigurableApplicationContext here =
            application(Asking.class, "traced-asking", broker)
                .properties(
                    "traced.paid=" + paid,
                    "postroad.commands.enabled=true",
                    "postroad.commands.send.Pay=" + pay,
                    "postroad.commands.reply-to=" + replies)
                .run()) {
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
          system);
      assertThat(other.isRunning()).isTrue();
    }
  }

  private SpringApplicationBuilder application(Class<?> main, String name, String... broker) {
    return new SpringApplicationBuilder(main)
        .properties(TestDatabases.postgres("traced_broker"))
        .properties(
            "spring.application.name=" + name,
            "spring.main.banner-mode=off",
            "management.tracing.sampling.probability=1.0")
        .properties(broker)
        .initializers(context -> context.getBeanFactory().registerSingleton("spans", spans));
  }

  private static void submitInACheckout(ConfigurableApplicationContext application)
      throws Exception {
    CommandBus<?> bus = application.getBean(CommandBus.class);
    CommandReply reply =
        Observation.createNotStarted("checkout", application.getBean(ObservationRegistry.class))
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
   * @param system that is named by what is sent
   */
  private void assertOneTrace(Map<String, String> parents, String system) throws Exception {
    List<SpanData> all = spans.await(parents.keySet());
    Map<String, String> names = new HashMap<>();
    all.forEach(span -> names.put(span.getSpanId(), span.getName()));
    String trace = named(all, "checkout").getTraceId();
    parents.forEach(
        (name, parent) -> {
          SpanData span = named(all, name);
          assertThat(span.getTraceId()).as("trace of %s", name).isEqualTo(trace);
          assertThat(names.get(span.getParentSpanId())).as("parent of %s", name).isEqualTo(parent);
          if (name.startsWith("send ")) {
            assertThat(EndedSpans.systemOf(span)).as(name).isEqualTo(system);
          }
        });
  }

  private static SpanData named(List<SpanData> all, String name) {
    List<SpanData> found = all.stream().filter(span -> span.getName().equals(name)).toList();
    assertThat(found).as("spans '%s'", name).hasSize(1);
    return found.get(0);
  }

  /** A command that the other application handles. */
  public record PayCommand(String order) implements DomainCommand {}

  /** Sends the command, and hears its reply and of the event. */
  @EnableAutoConfiguration
  @Import(Artemis.class)
  static class Asking {

    @Bean
    Handlers<Connection> handlers(CommandBus<Connection> bus, Environment environment) {
      return bus.receive(
              Handlers.<Connection>builder()
                  .onAny(
                      environment.getRequiredProperty("traced.paid"),
                      "events",
                      (message, context) -> {}),
              Map.of())
          .build();
    }
  }

  /** Handles the command. */
  @EnableAutoConfiguration
  @Import({Artemis.class, Paying.class})
  static class Doing {

    @Bean
    Handlers<Connection> handlers(CommandBus<Connection> bus, Environment environment) {
      return bus.receive(
              Handlers.<Connection>builder(),
              Map.of("Pay", environment.getRequiredProperty("traced.pay")))
          .build();
    }
  }

  /** Publishes an event. */
  static class Paying {
    private final Outbox<?> outbox;
    private final String paid;

    Paying(Outbox<?> outbox, Environment environment) {
      this.outbox = outbox;
      this.paid = environment.getRequiredProperty("traced.paid");
    }

    @Transactional
    public void pay(PayCommand command) {
      var unused =
          outbox.append(Message.event("Paid").to(paid).key(command.order()).json("{}").build());
    }
  }

  /** Connections to Artemis, where the test has one. */
  static class Artemis {

    @Bean(destroyMethod = "close")
    @ConditionalOnProperty("artemis.url")
    ConnectionFactory connections(Environment environment) {
      return new ActiveMQConnectionFactory(environment.getRequiredProperty("artemis.url"));
    }
  }
}
