package io.postroad.micronaut;

import io.micronaut.context.annotation.Value;
import io.micronaut.context.env.Environment;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a pool whose connections are never in autocommit, and warns of handlers that could use it
 * up, so that requests would wait.
 */
@Singleton
final class PoolCheck {
  private static final Logger LOG = LoggerFactory.getLogger(PoolCheck.class);

  private final String name;
  private final boolean autoCommits;
  private final int connections;
  private final CommandProperties commands;
  private final InboxProperties inbox;

  /** Of Hikari, whose property it is; with another pool nothing is known, and nothing said. */
  PoolCheck(
      Environment environment,
      CommandProperties commands,
      InboxProperties inbox,
      @Value("${postroad.store.datasource:default}") String name) {
    this.name = name;
    this.autoCommits =
        environment
            .getProperty("datasources.%s.auto-commit".formatted(name), Boolean.class)
            .orElse(true);
    this.connections =
        environment
            .getProperty("datasources.%s.maximum-pool-size".formatted(name), Integer.class)
            .orElse(Integer.MAX_VALUE);
    this.commands = commands;
    this.inbox = inbox;
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

  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    warn(warnings, "postroad.commands.concurrency", commands.concurrency());
    warn(warnings, "postroad.inbox.concurrency", inbox.concurrency());
    return warnings;
  }

  private void warn(List<String> warnings, String property, int handlers) {
    if (handlers > connections / 2) {
      warnings.add(
          "%s=%d is more than half of the %d connections of the pool, so handlers can keep requests waiting; raise the pool to %d or lower it"
              .formatted(property, handlers, connections, 2 * handlers));
    }
  }
}
