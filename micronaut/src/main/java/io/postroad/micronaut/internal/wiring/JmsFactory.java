package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.inbox.Inbox;
import io.postroad.jms.JmsReceiver;
import io.postroad.jms.JmsReceiverOptions;
import io.postroad.jms.JmsSender;
import io.postroad.jms.JmsSenderOptions;
import io.postroad.jms.QueueNames;
import io.postroad.jms.RequiredQueues;
import io.postroad.micronaut.internal.settings.JmsProperties;
import io.postroad.micronaut.internal.settings.JmsReceiverProperties;
import io.postroad.micronaut.internal.settings.OnSwitch;
import io.postroad.micronaut.internal.settings.Refused;
import io.postroad.micronaut.internal.settings.RelayProperties;
import jakarta.inject.Singleton;
import jakarta.jms.ConnectionFactory;
import java.util.List;

/** Sends to JMS, and receives: Artemis, IBM MQ or whatever the ConnectionFactory is of. */
@Factory
@Requires(classes = {JmsSender.class, ConnectionFactory.class})
@Requires(beans = ConnectionFactory.class)
final class JmsFactory {

  @Singleton
  Transport postroadJmsTransport(ConnectionFactory connections, JmsProperties properties) {
    return new Transport(
        RelayProperties.Transport.JMS,
        () ->
            JmsSender.create(
                connections,
                Refused.unlessFit(
                    "postroad.jms",
                    () -> JmsSenderOptions.defaults().withSendTimeout(properties.sendTimeout()))));
  }

  /** Before anything is sent or received. */
  @Singleton
  Part postroadRequiredQueues(ConnectionFactory connections, QueueCheck queues) {
    List<String> names =
        Refused.unlessFit(
            "postroad.jms", () -> QueueNames.parse(String.join(",", queues.required())));
    return new Part(
        Part.Phase.CHECKS,
        QueueCheck.PART,
        () -> {
          if (!names.isEmpty()) {
            RequiredQueues.check(connections, names);
          }
        },
        () -> {});
  }

  @Singleton
  @Secondary
  @Bean(preDestroy = "close")
  @Requires(beans = Inbox.class)
  @Requires(condition = OnSwitch.JmsReceiver.class)
  JmsReceiver postroadJmsReceiver(
      ConnectionFactory connections, JmsReceiverProperties properties, Inbox<?> inbox) {
    return Refused.unlessFit(
        "postroad.jms.receiver",
        () ->
            JmsReceiver.create(
                connections,
                JmsReceiverOptions.defaults()
                    .withQueues(properties.queues())
                    .withConcurrency(properties.concurrency()),
                inbox));
  }

  @Singleton
  @Requires(beans = Inbox.class)
  @Requires(condition = OnSwitch.JmsReceiver.class)
  Part postroadJmsReceiverPart(JmsReceiver receiver) {
    return new Part(Part.Phase.RECEIVERS, "jms receiver", receiver::start, receiver::stop);
  }
}
