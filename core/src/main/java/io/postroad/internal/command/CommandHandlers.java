package io.postroad.internal.command;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.RetryRule;
import io.postroad.inbox.PermanentFailure;
import io.postroad.inbox.RetryableFailure;
import io.postroad.internal.loop.ErrorText;
import io.postroad.message.JsonCodecException;
import io.postroad.spi.CommandStore;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handlers of this node, with the rules for their failures: by exception type first, by the
 * rule of the user second. Safe to use from many threads.
 *
 * @param traces record each run of a handler
 */
public record CommandHandlers<T>(
    AutoCommandHandlerRegistry<T> registry,
    CommandStore<T> store,
    RetryRule rule,
    CommandTraces traces) {
  private static final Logger LOG = LoggerFactory.getLogger(CommandBus.class);

  boolean isTransient(Throwable failure, String error) {
    return byType(failure).orElseGet(() -> byRule(failure, error));
  }

  /** Treats a rule that throws as one that says no, so that the failure is still recorded. */
  private boolean byRule(Throwable failure, String error) {
    try {
      return rule.isRetryable(failure, error);
    } catch (RuntimeException | Error broken) {
      LOG.error("the retry rule threw, so the command has failed; error={}", error, broken);
      return false;
    }
  }

  /** Goes by the outermost failure of a known type. */
  private Optional<Boolean> byType(Throwable failure) {
    for (Throwable cause : ErrorText.causes(failure)) {
      if (cause instanceof RetryableFailure
          || cause instanceof InterruptedException
          || store.isTransient(cause)) {
        return Optional.of(true);
      }
      if (cause instanceof PermanentFailure
          || cause instanceof CommandFailure
          || cause instanceof JsonCodecException
          || cause instanceof IllegalArgumentException) {
        return Optional.of(false);
      }
    }
    return Optional.empty();
  }
}
