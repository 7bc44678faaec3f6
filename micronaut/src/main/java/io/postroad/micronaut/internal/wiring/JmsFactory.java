package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.settings.TransportKind;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.framework.internal.wiring.Transport;
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
import jakarta.inject.Singleton;
import jakarta.jms.ConnectionFactory;
import java.util.List;
import java.util.Set;

/** Sends to the JMS broker of the application's ConnectionFactory, and receives from it. */
@Factory
@Requires(classes = {JmsSender.class, ConnectionFactory.class})
@Requires(beans = ConnectionFactory.class)
final class JmsFactory {

  @Singleton
  Transport postroadJmsTransport(ConnectionFactory connections, JmsProperties properties) {
    return new Transport(
        TransportKind.JMS,
        () ->
            JmsSender.create(
                connections,
                Refusals.unlessFit(
                    "postroad.jms",
                    () -> JmsSenderOptions.defaults().withSendTimeout(properties.sendTimeout()))));
  }

  /** Before anything is sent or received. */
  @Singleton
  Part postroadRequiredQueues(ConnectionFactory connections, QueueCheck queues) {
    List<String> names =
        Refusals.unlessFit(
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
      ConnectionFactory connections,
      JmsReceiverProperties properties,
      ConnectionBudget budget,
      Inbox<?> inbox) {
    Set<String> queues =
        properties.queues().isEmpty() ? inbox.handlers().destinations() : properties.queues();
    return Refusals.unlessFit(
        "postroad.jms.receiver",
        () ->
            JmsReceiver.create(
                connections,
                JmsReceiverOptions.defaults()
                    .withQueues(properties.queues())
                    .withConcurrency(
                        budget.handlersPerQueue(properties.concurrency(), queues.size())),
                inbox));
  }

  @Singleton
  @Requires(beans = Inbox.class)
  @Requires(condition = OnSwitch.JmsReceiver.class)
  ConnectionBudget.Part postroadJmsConnections(JmsReceiverProperties properties) {
    return ConnectionBudget.Part.jmsReceiver(properties.concurrency(), properties.queues().size());
  }

  @Singleton
  @Requires(beans = Inbox.class)
  @Requires(condition = OnSwitch.JmsReceiver.class)
  Part postroadJmsReceiverPart(JmsReceiver receiver) {
    return new Part(Part.Phase.RECEIVERS, "jms receiver", receiver::start, receiver::stop);
  }
}
