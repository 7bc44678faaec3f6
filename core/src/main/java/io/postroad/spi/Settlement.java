package io.postroad.spi;

import io.postroad.store.MessageStatus;
import java.time.Duration;
import java.util.Optional;

/** What became of a claimed message. Error texts come bounded from the engine. */
public sealed interface Settlement {

  Claim claim();

  /** The status the message takes. */
  MessageStatus status();

  /** For how long a message that is PENDING again may not be claimed, {@link Blocked} aside. */
  default Duration delay() {
    return Duration.ZERO;
  }

  /** The text to keep as the message's last error; without one the old text stays. */
  default Optional<String> lastError() {
    return Optional.empty();
  }

  /** Whether the claim counts as an attempt. */
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
   * @param blocksKey whether an ordered store holds the rest of its key back until a person
   *     decides; otherwise the key goes on without it. Of no meaning in a competing store
   */
  record Dead(Claim claim, String error, boolean blocksKey) implements Settlement {

    /** One that parks its key. */
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
