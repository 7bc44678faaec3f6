package io.postroad.jms;

import static io.postroad.jms.TestQueues.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Runs against an existing queue manager, if the environment names one: MQ_HOST, and MQ_PORT,
 * MQ_QMGR, MQ_CHANNEL, MQ_USER, MQ_PASSWORD if they are not the defaults; MQ_TEST_QUEUE names an
 * empty queue, by default DEV.QUEUE.1 of IBM's developer image.
 */
@EnabledIfEnvironmentVariable(
    named = "MQ_HOST",
    matches = ".+",
    disabledReason = "IBM MQ: MQ_HOST is not set, so there is no queue manager to test on")
class MqServerTest {
  private final ConnectionFactory connections = settings().connectionFactory();
  private final String queue = System.getenv().getOrDefault("MQ_TEST_QUEUE", "DEV.QUEUE.1");

  private static MqSettings settings() {
    Map<String, String> settings = new TreeMap<>();
    Map.of(
            "MQ_HOST", "mq.host",
            "MQ_PORT", "mq.port",
            "MQ_QMGR", "mq.qmgr",
            "MQ_CHANNEL", "mq.channel",
            "MQ_USER", "mq.user",
            "MQ_PASSWORD", "mq.password")
        .forEach(
            (variable, key) -> {
              String value = System.getenv(variable);
              if (value != null) {
                settings.put(key, value);
              }
            });
    return MqSettings.from(settings);
  }

  @Test
  void aMessageIsSentAndReceived() throws Exception {
    Message message =
        Message.event("OrderPlaced")
            .to(queue)
            .key("order-1")
            .header("app.order_id", "7")
            .json("{\"ü\":1}")
            .build();
    try (JmsSender sender = JmsSender.create(connections)) {
      Outcomes.accepted(Outcomes.sendOne(sender, message));
    }
    try (Connection connection = connections.createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
      connection.start();
      jakarta.jms.Message arrived = consumer.receive(Duration.ofSeconds(10).toMillis());
      assertThat(arrived).isNotNull();
      assertThat(
              new IncomingMapper(queue, JmsReceiverOptions.defaults()).incoming(arrived).message())
          .isEqualTo(message);
    }
  }

  @Test
  void aQueueThatDoesNotExistIsRejectedForGoodAndNamedAtStart() {
    String missing = "POSTROAD.NOT.THERE";
    try (JmsSender sender = JmsSender.create(connections)) {
      assertThat(Outcomes.rejectedForGood(Outcomes.sendOne(sender, message("A", missing, "k"))))
          .contains("create the queue");
    }
    assertThatThrownBy(() -> RequiredQueues.check(connections, List.of(queue, missing)))
        .hasMessageContaining("1 of 2 required queues do not exist: " + missing);
  }
}
