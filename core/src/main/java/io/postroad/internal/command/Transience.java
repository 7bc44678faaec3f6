package io.postroad.internal.command;

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

/** Decides which failures are tried again: by type first, by the user's rule second. */
public final class Transience {
  private static final Logger LOG = LoggerFactory.getLogger(CommandBus.class);

  private final CommandStore<?> store;
  private final RetryRule rule;

  public Transience(CommandStore<?> store, RetryRule rule) {
    this.store = store;
    this.rule = rule;
  }

  boolean isTransient(Throwable failure, String error) {
    return byType(failure).orElseGet(() -> byRule(failure, error));
  }

  /** A rule that throws must not keep a failure from being written down. */
  private boolean byRule(Throwable failure, String error) {
    try {
      return rule.isRetryable(failure, error);
    } catch (RuntimeException | Error broken) {
      LOG.error("the retry rule threw, so the command has failed; error={}", error, broken);
      return false;
    }
  }

  /** The outermost failure of a known type decides. */
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
