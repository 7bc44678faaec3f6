package io.postroad.micrometer;

import io.postroad.inbox.Inbox;
import io.postroad.jms.JmsReceiver;
import io.postroad.jms.JmsReceiverOptions;
import io.postroad.jms.JmsSender;
import io.postroad.kafka.KafkaReceiver;
import io.postroad.kafka.KafkaReceiverOptions;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.KafkaServer;
import java.time.Duration;
import java.util.UUID;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** A way from the outbox of one service to the inbox of another, over a real broker or none. */
enum Transport {
  KAFKA("kafka") {
    @Override
    String newDestination() {
      String name = "t-" + UUID.randomUUID();
      KafkaServer.shared().createTopic(name, 1);
      return name;
    }

    @Override
    MessageSender sender(Inbox<?> other) {
      return KafkaSender.create(KafkaSenderOptions.of(KafkaServer.shared().bootstrapServers()));
    }

    @Override
    AutoCloseable receive(Inbox<?> inbox) {
      KafkaReceiver receiver =
          KafkaReceiver.create(
              KafkaReceiverOptions.of(
                      KafkaServer.shared().bootstrapServers(), "g-" + UUID.randomUUID())
                  .withCommitEvery(Duration.ofMillis(100)),
              inbox);
      receiver.start();
      return receiver;
    }
  },
  ARTEMIS("jms") {
    @Override
    String newDestination() {
      return ArtemisServer.shared()
          .declareQueue("T." + UUID.randomUUID().toString().replace('-', '.'));
    }

    @Override
    MessageSender sender(Inbox<?> other) {
      return JmsSender.create(new ActiveMQConnectionFactory(ArtemisServer.shared().url()));
    }

    @Override
    AutoCloseable receive(Inbox<?> inbox) {
      JmsReceiver receiver =
          JmsReceiver.create(
              new ActiveMQConnectionFactory(ArtemisServer.shared().url()),
              JmsReceiverOptions.defaults(),
              inbox);
      receiver.start();
      return receiver;
    }
  },
  NONE(OtelMessaging.NO_BROKER) {
    @Override
    String newDestination() {
      return "d-" + UUID.randomUUID();
    }

    @Override
    MessageSender sender(Inbox<?> other) {
      return other.localSender();
    }

    @Override
    AutoCloseable receive(Inbox<?> inbox) {
      return () -> {};
    }
  };

  private final String system;

  Transport(String system) {
    this.system = system;
  }

  /** Its name in traces. */
  String system() {
    return system;
  }

  abstract String newDestination();

  /** The sender of a service; {@code other} is the receiver. */
  abstract MessageSender sender(Inbox<?> other);

  abstract AutoCloseable receive(Inbox<?> inbox);
}
