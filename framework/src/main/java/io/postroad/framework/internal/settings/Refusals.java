package io.postroad.framework.internal.settings;

import io.postroad.framework.UnusableConfigurationException;
import io.postroad.message.PostroadException;
import io.postroad.process.ProcessDefinitionException;
import io.postroad.schema.SchemaException;
import java.util.Optional;
import java.util.function.Supplier;

/** Turns failures of the start into refusals that say what to change. */
public final class Refusals {
  private Refusals() {}

  /** Names the properties from which {@code made} is built when it refuses their values. */
  public static <R> R unlessFit(String properties, Supplier<R> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException | IllegalStateException | ArithmeticException unfit) {
      throw new UnusableConfigurationException(
          unfit.getMessage() + ".",
          "Change the value in %s.*; docs/reference/defaults.md has the values that work together."
              .formatted(properties),
          unfit);
    }
  }

  /** Adds to a failure of {@code step} the action that mends it, as {@link #explain} knows it. */
  public static <R> R explained(Supplier<R> step) {
    try {
      return step.get();
    } catch (PostroadException failed) {
      throw explain(failed).<PostroadException>map(refusal -> refusal).orElse(failed);
    }
  }

  /** Returns a failure of the start together with the action that mends it, if that is known. */
  public static Optional<UnusableConfigurationException> explain(PostroadException failed) {
    if (failed instanceof UnusableConfigurationException refusal) {
      return Optional.of(refusal);
    }
    if (failed instanceof SchemaException) {
      return because(
          failed,
          "Let the application create and upgrade what Postroad needs with"
              + " postroad.store.schema-mode=migrate, if its user may do that. Otherwise have it"
              + " done before the start: by Flyway from classpath:io/postroad/postgres/flyway, or"
              + " by the script that PostgresSchema prints.");
    }
    if (failed instanceof ProcessDefinitionException) {
      return because(
          failed,
          "Correct the ProcessConfiguration beans that are named. A missing handler is a bean with"
              + " a public method that has the command as its one parameter, or an entry of"
              + " postroad.commands.send for a command that another service handles.");
    }
    return Optional.empty();
  }

  private static Optional<UnusableConfigurationException> because(
      PostroadException failed, String action) {
    return Optional.of(
        new UnusableConfigurationException(failed.getMessage() + ".", action, failed));
  }

  /** Refuses two databases without a choice: messages would join the transactions of only one. */
  public static UnusableConfigurationException twoDatabases() {
    return new UnusableConfigurationException(
        "The application has a DataSource and a MongoDB client, and the modules of Postroad for"
            + " both, so it is open in whose transactions messages are written.",
        "Say which with postroad.store.type=postgres or postroad.store.type=mongodb, or take the"
            + " other module from the class path.");
  }

  /** Refuses several handlers of one command. */
  public static UnusableConfigurationException ambiguousHandlers(IllegalStateException ambiguous) {
    return new UnusableConfigurationException(
        ambiguous.getMessage() + ".",
        "Leave one public method for each command, among all beans of the application; a method"
            + " that is not meant as a handler takes something that is no DomainCommand.",
        ambiguous);
  }
}
