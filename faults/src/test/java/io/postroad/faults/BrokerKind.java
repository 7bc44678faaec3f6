package io.postroad.faults;

import io.postroad.inbox.Inbox;
import io.postroad.jms.JmsReceiver;
import io.postroad.jms.JmsReceiverOptions;
import io.postroad.jms.JmsSender;
import io.postroad.jms.JmsSenderOptions;
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

/** The brokers that a test runs on in turn. */
enum BrokerKind {
  KAFKA {
    @Override
    Broker shared() {
      return on(KafkaServer.shared());
    }

    @Override
    Broker started() {
      return on(KafkaServer.started());
    }

    private Broker on(KafkaServer server) {
      String topic = newName();
      server.createTopic(topic, Scene.PARTITIONS);
      return new Broker(this, server, server.bootstrapServers(), topic);
    }

    @Override
    MessageSender sender(String address, Duration sendTimeout) {
      return KafkaSender.create(
          KafkaSenderOptions.of(address)
              .withSendTimeout(sendTimeout)
              .withSetting("max.block.ms", (int) sendTimeout.toMillis() / 2));
    }

    @Override
    AutoCloseable receive(String address, String group, Inbox<?> inbox) {
      KafkaReceiver receiver =
          KafkaReceiver.create(
              KafkaReceiverOptions.of(address, group)
                  .withConcurrency(HANDLERS)
                  // Who comes back under its name takes its place; else the group waits for the
                  // dead one until its session is over.
                  .withSetting("group.instance.id", "consumer"),
              inbox);
      receiver.start();
      return receiver;
    }
  },
  ARTEMIS {
    @Override
    Broker shared() {
      return on(ArtemisServer.shared());
    }

    @Override
    Broker started() {
      return on(ArtemisServer.started());
    }

    private Broker on(ArtemisServer server) {
      return new Broker(this, server, server.url(), server.declareQueue(newName()));
    }

    @Override
    MessageSender sender(String address, Duration sendTimeout) {
      return JmsSender.create(
          new ActiveMQConnectionFactory(address),
          JmsSenderOptions.defaults().withSendTimeout(sendTimeout));
    }

    @Override
    AutoCloseable receive(String address, String group, Inbox<?> inbox) {
      JmsReceiver receiver =
          JmsReceiver.create(
              new ActiveMQConnectionFactory(address),
              JmsReceiverOptions.defaults().withConcurrency(HANDLERS),
              inbox);
      receiver.start();
      return receiver;
    }
  };

  /** Handlers that a receiver has at once: half of what {@link Pools} has connections. */
  private static final int HANDLERS = 3;

  private static String newName() {
    return "bookings-" + UUID.randomUUID();
  }

  /** A destination on the server that all tests share. */
  abstract Broker shared();

  /** A destination on a server of the caller's own. */
  abstract Broker started();

  abstract MessageSender sender(String address, Duration sendTimeout);

  /**
   * Has messages of the inbox's destinations received until it is closed.
   *
   * @param group of receivers that share the messages, where the broker has such
   */
  abstract AutoCloseable receive(String address, String group, Inbox<?> inbox);
}
