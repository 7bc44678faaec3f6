package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Value;
import io.micronaut.context.env.Environment;
import io.micronaut.core.reflect.ClassUtils;
import io.postroad.micronaut.UnusableConfigurationException;
import io.postroad.micronaut.internal.settings.CommandProperties;
import io.postroad.micronaut.internal.settings.InboxProperties;
import io.postroad.micronaut.internal.settings.JmsReceiverProperties;
import io.postroad.micronaut.internal.settings.KafkaReceiverProperties;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a pool whose connections are never in autocommit, and warns of handlers that could use it
 * up, so that requests would wait. Those of all parts that the application has are added up,
 * because they come from one pool.
 */
@Singleton
final class PoolCheck {
  private static final Logger LOG = LoggerFactory.getLogger(PoolCheck.class);
  private static final int HIKARI_UNLESS_GIVEN = 10;

  private final BeanContext beans;
  private final String name;
  private final boolean autoCommits;
  private final int connections;
  private final CommandProperties commands;
  private final InboxProperties inbox;
  private final KafkaReceiverProperties kafka;
  private final JmsReceiverProperties jms;

  /** Of Hikari, whose property it is; with another pool nothing is known, and nothing said. */
  PoolCheck(
      BeanContext beans,
      Environment environment,
      CommandProperties commands,
      InboxProperties inbox,
      KafkaReceiverProperties kafka,
      JmsReceiverProperties jms,
      @Value("${postroad.store.datasource:default}") String name) {
    this.beans = beans;
    this.name = name;
    this.autoCommits =
        environment
            .getProperty("datasources.%s.auto-commit".formatted(name), Boolean.class)
            .orElse(true);
    this.connections =
        environment
            .getProperty("datasources.%s.maximum-pool-size".formatted(name), Integer.class)
            .orElse(hasHikari() ? HIKARI_UNLESS_GIVEN : Integer.MAX_VALUE);
    this.commands = commands;
    this.inbox = inbox;
    this.kafka = kafka;
    this.jms = jms;
  }

  private static boolean hasHikari() {
    return ClassUtils.isPresent(
        "com.zaxxer.hikari.HikariDataSource", PoolCheck.class.getClassLoader());
  }

  void check() {
    requireAutoCommit();
    warnings().forEach(LOG::warn);
  }

  /** Micronaut has a connection in scopes without a transaction, too, and nothing else differs. */
  private void requireAutoCommit() {
    if (!autoCommits) {
      throw new UnusableConfigurationException(
          ("With datasources.%s.auto-commit=false a scope without a transaction looks like one, and"
                  + " what is appended in it would be rolled back.")
              .formatted(name),
          "Leave auto-commit out, or set it to true; transactions switch it off for themselves.");
    }
  }

  /** What is wrong with the numbers, and the way out; empty when they fit. */
  List<String> warnings() {
    List<Handlers> all = handlers();
    int sum = all.stream().mapToInt(Handlers::number).sum();
    if (sum <= connections / 2) {
      return List.of();
    }
    return List.of(
        "handlers can use up the %d connections of the pool and keep requests and the relay waiting: %d run at once (%s), more than half of them; raise datasources.%s.maximum-pool-size to %d, or lower those numbers"
            .formatted(
                connections,
                sum,
                all.stream().map(Handlers::toString).collect(Collectors.joining(", ")),
                name,
                2 * sum));
  }

  private record Handlers(String property, int number) {
    @Override
    public String toString() {
      return property + "=" + number;
    }
  }

  /** Of the parts that there are. */
  private List<Handlers> handlers() {
    Set<String> parts =
        beans.getBeansOfType(Part.class).stream().map(Part::name).collect(Collectors.toSet());
    List<Handlers> handlers = new ArrayList<>();
    if (parts.contains("commands") || parts.contains("processes")) {
      handlers.add(new Handlers("postroad.commands.concurrency", commands.concurrency()));
    }
    if (parts.contains("inbox")) {
      handlers.add(new Handlers("postroad.inbox.concurrency", inbox.concurrency()));
    }
    if (parts.contains("kafka receiver")) {
      handlers.add(new Handlers("postroad.kafka.receiver.concurrency", kafka.concurrency()));
    }
    if (parts.contains("jms receiver")) {
      int queues = Math.max(1, jms.queues().size());
      handlers.add(new Handlers("postroad.jms.receiver.concurrency", queues * jms.concurrency()));
    }
    return handlers;
  }
}
