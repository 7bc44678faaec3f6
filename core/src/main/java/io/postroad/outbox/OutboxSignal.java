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
 * Something that happened in an outbox. {@code docs/reference/signals.md} lists them all with when
 * they come relative to a commit; a test keeps the list complete. No signal carries a payload.
 */
public sealed interface OutboxSignal {

  /** Which message, for signals about one. */
  record Subject(UUID id, String type, String destination) {
    public static Subject of(Message message) {
      return new Subject(message.id(), message.type(), message.destination());
    }
  }

  /** Appended; before the commit of the caller's transaction, which may still roll back. */
  record Appended(Subject message) implements OutboxSignal {}

  /** Not appended, {@code first} has its deduplication key; before the caller's commit. */
  record Deduplicated(Subject message, UUID first) implements OutboxSignal {}

  /** A poll is over; after the commit of the claim. */
  record Polled(String relay, int claimed, Duration took) implements OutboxSignal {}

  /** A lease had expired and its message was claimed again; after the commit of the claim. */
  record LeaseExpired(Subject message, int attempt, String previousOwner) implements OutboxSignal {}

  /** Delivered; after the commit of the settle. */
  record Delivered(Subject message, int attempt, Map<String, String> receipt)
      implements OutboxSignal {}

  /** An attempt failed and another follows; after the commit of the settle. */
  record RetryScheduled(Subject message, int attempt, Duration delay, String error)
      implements OutboxSignal {}

  /**
   * Given back, the attempt not counted; after the commit of the settle. In a lane that sends it
   * again in place nothing is committed, and {@code delay} is not what happens.
   */
  record Released(Subject message, Duration delay, String reason) implements OutboxSignal {}

  /**
   * Given back until its destination is open, the attempt not counted; after the commit of the
   * settle.
   */
  record SetAside(Subject message, String reason) implements OutboxSignal {}

  /** A dead letter; after the commit of the settle. */
  record Died(Subject message, int attempt, String error) implements OutboxSignal {}

  /** A settle or extension came too late and changed nothing; after its commit. */
  record FenceRejected(Subject message, long token, String verb) implements OutboxSignal {}

  /** The store failed; nothing of that verb is committed for certain, and it is tried again. */
  record StoreFailed(String relay, String verb, String error) implements OutboxSignal {}

  /** Delivered messages past their retention were removed; after the commit. */
  record Purged(String relay, long messages) implements OutboxSignal {}

  /** Space that is due cannot be freed yet, and who keeps it; tried again at the next purge. */
  record PurgeBlocked(String relay, List<String> blockedBy) implements OutboxSignal {}

  /**
   * A lane of an ordered store was taken; after the commit. {@code crashedNode} is who let its
   * lease expire, {@code rescan} why messages are repeated; both are empty normally.
   */
  record LaneTaken(
      String relay, int lane, long epoch, Optional<String> crashedNode, Optional<String> rescan)
      implements OutboxSignal {}

  /** A lane was lost to another node; what this one still had in flight may arrive twice. */
  record LaneLost(String relay, int lane, long epoch, String verb) implements OutboxSignal {}

  /** A lane was given back after all its messages in flight were settled; after the commit. */
  record LaneReleased(String relay, int lane, long epoch) implements OutboxSignal {}

  /**
   * A message failed, or goes alone after crashes, and its key is held back: followers wait behind
   * it, while other keys go on; before the commit of the advance.
   */
  record KeyHeld(Subject message, OrderKey key) implements OutboxSignal {}

  /**
   * A key has nothing held back any more, also one that was set aside; after the commit. Also told
   * when a key that was held back is found to be set aside.
   */
  record KeyFreed(String relay, OrderKey key) implements OutboxSignal {}

  /**
   * Keys wait behind dead letters; told about once a minute for as long as there are some.
   *
   * @param keys how many, counted up to a limit, as the messages
   */
  record KeysParked(String relay, long keys, long messages, Duration oldest)
      implements OutboxSignal {}

  /** Messages to a destination failed in a row: from now on only single ones try it. */
  record DestinationDown(String relay, String destination, String error) implements OutboxSignal {}

  /** A destination that was down has answered. */
  record DestinationUp(String relay, String destination, Duration after) implements OutboxSignal {}

  /** The relay has seen that somebody paused a destination: from now on it sends nothing there. */
  record DestinationPaused(String relay, String destination, String by, String reason)
      implements OutboxSignal {}

  /** The relay has seen that a destination is not paused any more. */
  record DestinationResumed(String relay, String destination) implements OutboxSignal {}

  /** A relay has started. */
  record Started(String relay) implements OutboxSignal {}

  /** A relay has stopped; {@code unsettled} messages wait for their leases to expire. */
  record Stopped(String relay, int unsettled) implements OutboxSignal {}

  /** This node's clock is far from the database's; only people's reading of logs suffers. */
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
