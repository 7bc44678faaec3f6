package io.postroad.spi;

import io.postroad.store.MessageStatus;
import java.time.Duration;
import java.util.Optional;

/** The result of a claimed message. The engine bounds the error texts. */
public sealed interface Settlement {

  Claim claim();

  /** Returns the status that the message takes. */
  MessageStatus status();

  /**
   * Returns how long a message that is PENDING again may not be claimed; not for {@link Blocked}.
   */
  default Duration delay() {
    return Duration.ZERO;
  }

  /** Returns the text to keep as the last error of the message; without one the old text stays. */
  default Optional<String> lastError() {
    return Optional.empty();
  }

  /** Returns whether the claim counts as an attempt. */
  default boolean countsAsAttempt() {
    return true;
  }

  /** It arrived: DISPATCHED. */
  record Delivered(Claim claim) implements Settlement {
    @Override
    public MessageStatus status() {
      return MessageStatus.DISPATCHED;
    }
  }

  /** The attempt failed: PENDING again, claimable after {@code delay}. */
  record Retry(Claim claim, Duration delay, String error) implements Settlement {
    @Override
    public MessageStatus status() {
      return MessageStatus.PENDING;
    }

    @Override
    public Optional<String> lastError() {
      return Optional.of(error);
    }
  }

  /**
   * Given back as if it had not been claimed: PENDING, claimable after {@code delay}, the attempt
   * not counted; {@code reason} is kept as the last error.
   */
  record Release(Claim claim, Duration delay, String reason) implements Settlement {
    @Override
    public MessageStatus status() {
      return MessageStatus.PENDING;
    }

    @Override
    public Optional<String> lastError() {
      return Optional.of(reason);
    }

    @Override
    public boolean countsAsAttempt() {
      return false;
    }
  }

  /**
   * Given back as if it had not been claimed, because its destination is paused or down: PENDING,
   * the attempt not counted, and due when its destination is opened; {@code reason} is kept as the
   * last error. In an ordered store, of meaning for the first message of a key only: those behind
   * it wait for it in any case.
   */
  record Blocked(Claim claim, String reason) implements Settlement {
    @Override
    public MessageStatus status() {
      return MessageStatus.PENDING;
    }

    @Override
    public Optional<String> lastError() {
      return Optional.of(reason);
    }

    @Override
    public boolean countsAsAttempt() {
      return false;
    }
  }

  /**
   * It will not be tried again by itself: FAILED, a dead letter.
   *
   * @param blocksKey whether an ordered store blocks the rest of its key until an operator decides;
   *     otherwise the key goes on without it. Of no meaning in a competing store
   */
  record Dead(Claim claim, String error, boolean blocksKey) implements Settlement {

    /** Creates one that blocks its key. */
    public Dead(Claim claim, String error) {
      this(claim, error, true);
    }

    @Override
    public MessageStatus status() {
      return MessageStatus.FAILED;
    }

    @Override
    public Optional<String> lastError() {
      return Optional.of(error);
    }
  }
}
