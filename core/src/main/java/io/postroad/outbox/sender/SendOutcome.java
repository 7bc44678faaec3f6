package io.postroad.outbox.sender;

import io.postroad.internal.loop.ErrorText;
import java.util.Map;
import java.util.function.Function;

/** The outcome of a message that was handed to a {@link MessageSender}. */
public sealed interface SendOutcome {

  /** Applies the function for the kind of this outcome. */
  <R> R fold(
      Function<Accepted, R> accepted, Function<Rejected, R> rejected, Function<Unknown, R> unknown);

  /**
   * The broker has it.
   *
   * @param receipt the answer of the broker, for example partition and offset; may be empty
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
   * @param again whether another attempt can help
   */
  record Rejected(String error, Again again) implements SendOutcome {
    public Rejected {
      error = ErrorText.orUnnamed(error);
    }

    /** Returns a refusal that another attempt cannot mend: too large, unknown destination, ... */
    public static Rejected forGood(String error) {
      return new Rejected(error, Again.NEVER);
    }

    /** Returns a refusal for now; each attempt counts. */
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
   * The message may have arrived or not. It is sent again, and the attempt is not counted, because
   * the reason is the destination and not the message.
   *
   * @param error the failure, without payload
   * @param onlyItsKey whether the sender knows that other keys of the destination can be reached:
   *     the message's key is blocked and tried again later, the others go on, and the destination
   *     does not count as down for it
   */
  record Unknown(String error, boolean onlyItsKey) implements SendOutcome {
    public Unknown {
      error = ErrorText.orUnnamed(error);
    }

    /** Makes an outcome that is unknown for a reason which may concern every message. */
    public Unknown(String error) {
      this(error, false);
    }

    /**
     * Returns an outcome that is unknown for a part of the destination to which the message's key
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

  /** Says whether a rejected message is worth another attempt. */
  enum Again {
    NEVER,
    LATER
  }
}
