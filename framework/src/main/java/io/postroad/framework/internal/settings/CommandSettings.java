package io.postroad.framework.internal.settings;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.framework.UnusableConfigurationException;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties {@code postroad.commands.*}. An empty text counts as not given. */
public interface CommandSettings {
  String name();

  @Nullable Integer concurrency();

  Duration handlerTimeout();

  Duration leaseFor();

  int maxAttempts();

  Duration sweepEvery();

  Duration retention();

  Duration drainFor();

  Duration replyWithin();

  Map<String, String> send();

  String replyTo();

  String owner();

  List<String> handledElsewhere();

  default CommandOptions options(ConnectionBudget budget) {
    CommandOptions defaults = CommandOptions.defaults();
    return defaults
        .withName(name().isEmpty() ? defaults.name() : name())
        .withConcurrency(budget.handlers(concurrency()))
        .withTimes(handlerTimeout(), leaseFor())
        .withMaxAttempts(maxAttempts())
        .withSweepEvery(sweepEvery())
        .withRetention(retention())
        .withDrainFor(drainFor())
        .withReplyWithin(replyWithin());
  }

  /**
   * Adds options, destinations and the return address to a builder.
   *
   * @param application the name of the application; empty if it has none
   * @param nameProperty the property that sets the name of the application
   */
  default <T> CommandBus.Builder<T> addTo(
      CommandBus.Builder<T> builder,
      ConnectionBudget budget,
      String application,
      String nameProperty) {
    builder
        .options(Refusals.unlessFit("postroad.commands", () -> options(budget)))
        .handledElsewhere(handledElsewhere().toArray(String[]::new));
    send().forEach(builder::send);
    if (replyTo().isEmpty()) {
      requireNoCommandsSent();
      return builder;
    }
    return builder.replyTo(replyTo()).owner(ownerOr(application, nameProperty));
  }

  private void requireNoCommandsSent() {
    if (!send().isEmpty()) {
      throw new UnusableConfigurationException(
          "Commands of %s are sent to other services, but their replies have no way back."
              .formatted(send().keySet()),
          "Say where replies come to with postroad.commands.reply-to.");
    }
  }

  /** Returns the name of this service among those that share the destination of replies. */
  private String ownerOr(String application, String nameProperty) {
    String name = owner().isEmpty() ? application : owner();
    if (name.isBlank()) {
      throw new UnusableConfigurationException(
          "Replies come to '%s', and this service has no name that its replies would carry, so that it would take those of other services."
              .formatted(replyTo()),
          "Name the service with %s, or with postroad.commands.owner.".formatted(nameProperty));
    }
    return name;
  }
}
