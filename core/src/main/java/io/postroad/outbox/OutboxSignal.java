package io.postroad.outbox;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.store.AppendResult;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * An event in an outbox. {@code docs/reference/signals.md} lists all signals, and says whether each
 * comes before or after a commit; a test keeps the list complete. No signal carries a payload.
 */
public sealed interface OutboxSignal {

  /** The message that a signal is about. */
  record Subject(UUID id, String type, String destination) {
    public static Subject of(Message message) {
      return new Subject(message.id(), message.type(), message.destination());
    }
  }

  /** A message was appended; before the caller's commit, which may still roll back. */
  record Appended(Subject message) implements OutboxSignal {}

  /**
   * A message was not appended, since {@code first} has its deduplication key; before the commit.
   */
  record Deduplicated(Subject message, UUID first) implements OutboxSignal {}

  /** A poll has ended; after the commit of the claim. */
  record Polled(String relay, int claimed, Duration took) implements OutboxSignal {}

  /** A lease had expired and its message was claimed again; after the commit of the claim. */
  record LeaseExpired(Subject message, int attempt, String previousOwner) implements OutboxSignal {}

  /** A message was delivered; after the commit of the settle. */
  record Delivered(Subject message, int attempt, Map<String, String> receipt)
      implements OutboxSignal {}

  /** An attempt failed and another follows; after the commit of the settle. */
  record RetryScheduled(Subject message, int attempt, Duration delay, String error)
      implements OutboxSignal {}

  /**
   * A message was given back, the attempt not counted; after the commit of the settle. A lane that
   * sends the message again from its send window commits nothing and ignores {@code delay}.
   */
  record Released(Subject message, Duration delay, String reason) implements OutboxSignal {}

  /**
   * A message was blocked until its destination is open, the attempt not counted; after the commit
   * of the settle.
   */
  record SetAside(Subject message, String reason) implements OutboxSignal {}

  /** A message became a dead letter; after the commit of the settle. */
  record Died(Subject message, int attempt, String error) implements OutboxSignal {}

  /** A settle or extension came too late and changed nothing; after its commit. */
  record FenceRejected(Subject message, long token, String verb) implements OutboxSignal {}

  /** The store failed; the verb may have committed or not, and is repeated. */
  record StoreFailed(String relay, String verb, String error) implements OutboxSignal {}

  /** Delivered messages past their retention were removed; after the commit. */
  record Purged(String relay, long messages) implements OutboxSignal {}

  /** Space that is due cannot be freed yet, and what keeps it; the next purge tries again. */
  record PurgeBlocked(String relay, List<String> blockedBy) implements OutboxSignal {}

  /**
   * A lane of an ordered store was taken; after the commit. {@code crashedNode} is the node that
   * let its lease expire, {@code rescan} the reason why messages are repeated; both are empty
   * normally.
   */
  record LaneTaken(
      String relay, int lane, long epoch, Optional<String> crashedNode, Optional<String> rescan)
      implements OutboxSignal {}

  /** A lane was lost to another node; messages that were in flight may arrive twice. */
  record LaneLost(String relay, int lane, long epoch, String verb) implements OutboxSignal {}

  /** A lane was released after all its messages in flight were settled; after the commit. */
  record LaneReleased(String relay, int lane, long epoch) implements OutboxSignal {}

  /**
   * A message failed, or is sent alone after crashes, and its key is blocked: followers wait behind
   * it, while other keys go on; before the commit of the advance.
   */
  record KeyHeld(Subject message, OrderKey key) implements OutboxSignal {}

  /**
   * A key has no blocked message any more; after the commit. Also signalled when a key that was
   * blocked for a retry turns out to be blocked for its destination.
   */
  record KeyFreed(String relay, OrderKey key) implements OutboxSignal {}

  /**
   * Keys are blocked behind dead letters; about once a minute for as long as there are some.
   *
   * @param keys the number of keys, counted up to a limit, as the messages are
   */
  record KeysParked(String relay, long keys, long messages, Duration oldest)
      implements OutboxSignal {}

  /** Messages to a destination failed in a row: from now on only single messages probe it. */
  record DestinationDown(String relay, String destination, String error) implements OutboxSignal {}

  /** A destination that was down has answered. */
  record DestinationUp(String relay, String destination, Duration after) implements OutboxSignal {}

  /** The relay has seen that an operator paused a destination: it sends no message there. */
  record DestinationPaused(String relay, String destination, String by, String reason)
      implements OutboxSignal {}

  /** The relay has seen that a destination is not paused any more. */
  record DestinationResumed(String relay, String destination) implements OutboxSignal {}

  /** A relay has started. */
  record Started(String relay) implements OutboxSignal {}

  /** A relay has stopped; {@code unsettled} messages wait for their leases to expire. */
  record Stopped(String relay, int unsettled) implements OutboxSignal {}

  /** This node's clock is far from the database's; only times in logs are affected. */
  record ClockSkewed(String relay, Duration ahead) implements OutboxSignal {}

  static OutboxSignal appended(Message message, AppendResult result) {
    Subject subject = Subject.of(message);
    return result instanceof AppendResult.Duplicate duplicate
        ? new Deduplicated(subject, duplicate.id())
        : new Appended(subject);
  }

  static FenceRejected fenceRejected(Claim claim, String verb) {
    return new FenceRejected(Subject.of(claim.message()), claim.token(), verb);
  }
}
