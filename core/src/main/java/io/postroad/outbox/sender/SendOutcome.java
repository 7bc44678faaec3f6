package io.postroad.outbox.sender;

import io.postroad.internal.loop.ErrorText;
import java.util.Map;
import java.util.function.Function;

/** What is known about a message that was handed to a {@link MessageSender}. */
public sealed interface SendOutcome {

  /** The answer for the one of the three that this is. */
  <R> R fold(
      Function<Accepted, R> accepted, Function<Rejected, R> rejected, Function<Unknown, R> unknown);

  /**
   * The broker has it.
   *
   * @param receipt what the broker said, for example partition and offset; may be empty
   */
  record Accepted(Map<String, String> receipt) implements SendOutcome {
    public Accepted {
      receipt = Map.copyOf(receipt);
    }

    @Override
    public <R> R fold(
        Function<Accepted, R> accepted,
        Function<Rejected, R> rejected,
        Function<Unknown, R> unknown) {
      return accepted.apply(this);
    }
  }

  /**
   * It was refused and did not arrive.
   *
   * @param error why, without payload
   * @param again whether trying again can help
   */
  record Rejected(String error, Again again) implements SendOutcome {
    public Rejected {
      error = ErrorText.orUnnamed(error);
    }

    /** Refused in a way that trying again cannot mend: too large, unknown destination, ... */
    public static Rejected forGood(String error) {
      return new Rejected(error, Again.NEVER);
    }

    /** Refused for now; each try counts as an attempt. */
    public static Rejected forNow(String error) {
      return new Rejected(error, Again.LATER);
    }

    @Override
    public <R> R fold(
        Function<Accepted, R> accepted,
        Function<Rejected, R> rejected,
        Function<Unknown, R> unknown) {
      return rejected.apply(this);
    }
  }

  /**
   * Nobody knows: it may have arrived or not. It is sent again, and the attempt is not counted,
   * because a destination that cannot be reached says nothing about the message.
   *
   * @param error what went wrong, without payload
   * @param onlyItsKey whether the sender knows that other keys of the destination can be reached:
   *     the message's key is blocked and tried again later, the others go on, and the destination
   *     does not count as down for it
   */
  record Unknown(String error, boolean onlyItsKey) implements SendOutcome {
    public Unknown {
      error = ErrorText.orUnnamed(error);
    }

    /** Unknown for a reason that may concern every message. */
    public Unknown(String error) {
      this(error, false);
    }

    /**
     * Unknown for a reason that concerns a part of the destination to which the message's key
     * belongs, for example a Kafka partition without a leader, while other parts can be reached.
     */
    public static Unknown onlyItsKey(String error) {
      return new Unknown(error, true);
    }

    @Override
    public <R> R fold(
        Function<Accepted, R> accepted,
        Function<Rejected, R> rejected,
        Function<Unknown, R> unknown) {
      return unknown.apply(this);
    }
  }

  /** Whether a rejected message is worth another try. */
  enum Again {
    NEVER,
    LATER
  }
}
