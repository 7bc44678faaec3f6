package io.postroad.spi;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.store.AuditEntry;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Lists the dead letters of an outbox and carries out the decisions of operators about them.
 *
 * <pre>
 * FAILED --replay---> PENDING, with all its attempts, due now; in an ordered store in its old place
 * FAILED --replace--> (gone), and another message PENDING in its place
 * FAILED --discard--> (gone); in an ordered store its key goes on without it
 * </pre>
 *
 * <p>Safe to use from many threads and nodes, beside relays. Each verb is one transaction, or
 * several for large messages. It also writes an {@link AuditEntry} for each message it changed, and
 * is durable when it returns. A crash leaves each transaction done or not done, and the same call
 * completes the rest. Messages that are no dead letters any more are left alone, so calling twice
 * does no harm.
 */
public interface DeadLetterStore {

  /** The most ids that one call takes. */
  int MAX_IDS = 1_000;

  /**
   * Lists dead letters from the longest dead to the latest; those of one time by id.
   *
   * @param after where an earlier list ended; empty for the beginning
   * @param limit 1 to {@link #MAX_IDS}
   */
  List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit);

  /** Finds the dead letter with this id. */
  Optional<DeadLetter> find(UUID id);

  /**
   * Sends dead letters again.
   *
   * <ol>
   *   <li>MUST give them all their attempts again, and make them due now; the last error stays to
   *       be read until they are settled.
   *   <li>MUST let a settlement of a claim from before change nothing.
   *   <li>In an ordered store MUST let the key of one that blocks it go on with it, in order before
   *       every message of the key that waits or is appended later. One that blocks no key comes
   *       back to its key as the first message.
   *   <li>MUST leave ids alone that are no dead letters.
   * </ol>
   *
   * @return those that were replayed
   */
  Set<UUID> replay(Collection<UUID> ids, Decision decision);

  /**
   * Puts another message in the place of a dead letter, which is gone then, and has it sent as
   * {@link #replay} would.
   *
   * <ol>
   *   <li>MUST keep the dead letter's place and the time it was appended at.
   *   <li>MUST throw a {@link PostroadException} and change nothing when the id of {@code
   *       replacement} is that of a message that is not gone (where the store knows its ids: the
   *       dead letter's own always is refused).
   *   <li>The replacement's deduplication key is not looked at.
   * </ol>
   *
   * @param replacement of the same {@link OrderKey} destination and key as the dead letter, not
   *     scheduled; {@link IllegalArgumentException} otherwise
   * @return whether there was such a dead letter
   */
  boolean replace(UUID id, Message replacement, Decision decision);

  /**
   * Removes dead letters for good. In an ordered store a key that one of them blocks goes on with
   * the messages behind it.
   *
   * @return those that were removed
   */
  Set<UUID> discard(Collection<UUID> ids, Decision decision);

  /**
   * Returns the decisions of operators, the latest first.
   *
   * @param subject a message's id as text, or another {@link AuditEntry#subject()}; empty for all
   * @param limit 1 to {@link #MAX_IDS}
   */
  List<AuditEntry> audit(Optional<String> subject, int limit);

  /** Removes audit entries that are older than {@code before}, at most {@code limit}. */
  int purgeAudit(Instant before, int limit);

  /** Throws for a limit of a list that no store accepts. */
  static void checkLimit(int limit) {
    if (limit < 1 || limit > MAX_IDS) {
      throw new IllegalArgumentException("limit must be 1 to %d, got %d".formatted(MAX_IDS, limit));
    }
  }

  /** Throws for more ids than one call takes. */
  static void checkIds(Collection<UUID> ids) {
    if (ids.size() > MAX_IDS) {
      throw new IllegalArgumentException(
          "one call takes %d ids at most, got %d; nothing was changed, give them in parts"
              .formatted(MAX_IDS, ids.size()));
    }
  }

  /** Throws for a message that cannot replace a dead letter. */
  static void checkReplacement(Message dead, Message replacement) {
    if (replacement.id().equals(dead.id())) {
      throw new PostroadException(
          "cannot replace dead letter %s by a message of the same id: consumers would take it for the"
                  .formatted(dead.id())
              + " old one; nothing was changed, give the replacement an id of its own");
    }
    if (!replacement.destination().equals(dead.destination())
        || !replacement.key().equals(dead.key())) {
      throw new IllegalArgumentException(
          "dead letter %s goes to destination '%s' with key '%s', its replacement to '%s' with '%s':"
                  .formatted(
                      dead.id(),
                      dead.destination(),
                      dead.key().orElse(""),
                      replacement.destination(),
                      replacement.key().orElse(""))
              + " it must keep both to take its place; nothing was changed. Discard the dead letter"
              + " and append another message instead");
    }
    if (replacement.notBefore().isPresent()) {
      throw new IllegalArgumentException(
          "the replacement of dead letter %s must not be scheduled: it is sent in the place of the"
                  .formatted(dead.id())
              + " old one; nothing was changed");
    }
  }
}
