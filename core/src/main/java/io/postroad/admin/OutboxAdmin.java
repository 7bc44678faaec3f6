package io.postroad.admin;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.store.AuditEntry;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.BlockedKey;
import io.postroad.store.BlockedSummary;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import io.postroad.store.Pause;
import io.postroad.store.StoredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Reads an outbox and decides about its dead letters, blocked keys and destinations.
 *
 * <p>Safe to use from many threads, on any node, beside running relays. Every change is one
 * transaction with its audit entry; the bulk verbs are one per batch. A crash in the middle leaves
 * whole batches done, and the same call completes the rest. Whatever cannot be done is a {@link
 * NotPossibleException} or an {@link IllegalArgumentException}, and has changed nothing.
 */
public final class OutboxAdmin {
  /** The header of a replacement that names the message whose place it took. */
  public static final String REPLACES = "replaces";

  /** How many dead letters a bulk verb changes in one transaction. */
  private static final int BATCH = 100;

  private final OutboxStore<?> store;
  private final DeadLetterStore letters;

  private OutboxAdmin(OutboxStore<?> store) {
    this.store = store;
    this.letters = store.deadLetters();
  }

  public static OutboxAdmin over(OutboxStore<?> store) {
    return new OutboxAdmin(store);
  }

  /** How much is waiting and dead. */
  public Backlog backlog() {
    return store.backlog();
  }

  /** How much waits behind dead letters; nothing in a store without order. */
  public BlockedSummary blockedSummary() {
    return store instanceof OrderedStore<?> ordered
        ? ordered.blockedKeys().summary()
        : BlockedSummary.NONE;
  }

  /** Any message and how it stands. */
  public Optional<StoredMessage> find(UUID id) {
    return store.find(id);
  }

  /**
   * Dead letters, the longest dead first.
   *
   * @param after the {@link DeadLetter#mark()} of the last one of the page before
   * @param limit 1 to {@link DeadLetterStore#MAX_IDS}
   */
  public List<DeadLetter> deadLetters(
      DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit) {
    return letters.list(filter, after, limit);
  }

  /** One of them, with its headers, attempts and error. */
  public DeadLetter deadLetter(UUID id) {
    return letters.find(id).orElseThrow(() -> notDead(id));
  }

  /** Has a dead letter sent again; with it, the rest of its key if it parks one. */
  public void replay(UUID id, Decision decision) {
    requireDone(id, letters.replay(List.of(id), decision));
  }

  /**
   * Has every dead letter sent again that matches and is dead when this begins: those that die once
   * more on the way are not tried a third time.
   *
   * @return how many
   */
  public long replayAll(DeadLetterFilter filter, Decision decision, BulkProgress progress) {
    return bulk(filter, progress, page -> letters.replay(ids(page), decision).size());
  }

  /**
   * Sends a corrected message in the place of a dead letter, under an id of its own and with the
   * header {@link #REPLACES}.
   *
   * @param correction changes what it wants of the dead letter's message; destination and key must
   *     stay
   * @return the message that is sent instead
   */
  public Message edit(UUID id, UnaryOperator<Message.Builder> correction, Decision decision) {
    Message dead = deadLetter(id).message();
    Message edited = correction.apply(dead.toBuilder()).header(REPLACES, id.toString()).build();
    if (!letters.replace(id, edited, decision)) {
      throw notDead(id);
    }
    return edited;
  }

  /** Releases the key of a dead letter without it; it stays a dead letter. */
  public void skip(UUID id, Decision decision) {
    OrderedStore<?> ordered = ordered("skip a dead letter");
    if (ordered.blockedKeys().skip(List.of(id), decision).isEmpty()) {
      DeadLetter letter = deadLetter(id);
      throw new NotPossibleException(
          "dead letter %s blocks no key%s, so there is nothing to skip; replay or discard it"
              .formatted(id, letter.message().key().isEmpty() ? " (it has none)" : ""));
    }
  }

  /** Removes a dead letter for good; its key goes on without it. */
  public void discard(UUID id, Decision decision) {
    requireDone(id, letters.discard(List.of(id), decision));
  }

  /**
   * Removes every dead letter that matches and is dead when this begins.
   *
   * @return how many
   */
  public long discardAll(DeadLetterFilter filter, Decision decision, BulkProgress progress) {
    return bulk(filter, progress, page -> letters.discard(ids(page), decision).size());
  }

  /**
   * Copies dead letters to a destination of the broker, in order, with their id, key, headers and
   * payload, and with the headers of {@link DeadLetterCopy}. They stay dead letters. A crash in the
   * middle has copied some; the same call copies them again, with the same ids.
   *
   * @param destination for example {@code outbox.dlq}
   * @return how many the broker has acknowledged
   */
  public long copyAll(
      DeadLetterFilter filter, MessageSender sender, String destination, BulkProgress progress) {
    DeadLetterCopy copy = new DeadLetterCopy(sender, destination);
    return bulk(
        filter,
        progress,
        page -> {
          copy.send(page);
          return page.size();
        });
  }

  /**
   * Returns the keys that dead letters block, in the order of destination and name.
   *
   * @param after the key of the last one of the page before
   * @param limit 1 to {@link DeadLetterStore#MAX_IDS}
   */
  public List<BlockedKey> blockedKeys(Optional<OrderKey> after, int limit) {
    return ordered("list blocked keys").blockedKeys().list(after, limit);
  }

  /** Releases a blocked key with its dead letter, in order, before anything newer. */
  public void release(OrderKey key, Decision decision) {
    if (!ordered("release a key").blockedKeys().release(key, decision)) {
      throw new NotPossibleException(
          "key '%s' of destination '%s' is not blocked by a dead letter, nothing was changed; blockedKeys() lists"
                  .formatted(key.name(), key.destination())
              + " those that are");
    }
  }

  /**
   * Stops sending to a destination, on every node, until {@link #resume}. Relays see it within
   * their {@code sweepEvery}; what they have handed over by then still goes out. Messages wait, in
   * order, and no attempt of theirs is counted; other destinations go on.
   *
   * @param destination as messages name it; it need not have any messages
   */
  public void pause(String destination, Decision decision) {
    if (!store.pauses().pause(destination, decision)) {
      throw new NotPossibleException(
          "destination '%s' is paused already%s; nothing was changed"
              .formatted(destination, since(destination)));
    }
  }

  private String since(String destination) {
    return store.pauses().list().stream()
        .filter(pause -> pause.destination().equals(destination))
        .map(pause -> ", by %s since %s (%s)".formatted(pause.by(), pause.since(), pause.reason()))
        .findFirst()
        .orElse("");
  }

  /** Lets relays send to a destination again, the waiting messages first. */
  public void resume(String destination, Decision decision) {
    if (!store.pauses().resume(destination, decision)) {
      List<String> paused = store.pauses().list().stream().map(Pause::destination).toList();
      throw new NotPossibleException(
          "destination '%s' is not paused, nothing was changed; paused are: %s"
              .formatted(destination, paused.isEmpty() ? "none" : String.join(", ", paused)));
    }
  }

  /** Lists the paused destinations in the order of their names. */
  public List<Pause> paused() {
    return store.pauses().list();
  }

  /** Counts the messages that wait for destinations that are paused or down. */
  public List<BlockedDestination> blockedDestinations() {
    return store.blocked();
  }

  /**
   * Returns the decisions about a destination, the latest first.
   *
   * @param limit 1 to {@link DeadLetterStore#MAX_IDS}
   */
  public List<AuditEntry> auditOfDestination(String destination, int limit) {
    return letters.audit(Optional.of(destination), limit);
  }

  /**
   * Returns the decisions about one message or about all, the latest first.
   *
   * @param limit 1 to {@link DeadLetterStore#MAX_IDS}
   */
  public List<AuditEntry> audit(Optional<UUID> message, int limit) {
    return letters.audit(message.map(UUID::toString), limit);
  }

  /** Changes a page of dead letters and returns how many were changed. */
  @FunctionalInterface
  private interface Deed {
    int doTo(List<DeadLetter> page);
  }

  private long bulk(DeadLetterFilter filter, BulkProgress progress, Deed deed) {
    DeadLetterFilter deadByNow = untilNow(filter);
    long done = 0;
    List<DeadLetter> page = letters.list(deadByNow, Optional.empty(), BATCH);
    if (page.isEmpty()) {
      throw nothingMatches(filter);
    }
    while (!page.isEmpty()) {
      done += deed.doTo(page);
      progress.on(done);
      page = letters.list(deadByNow, Optional.of(page.get(page.size() - 1).mark()), BATCH);
    }
    return done;
  }

  /** Excludes messages that die again during the run, which would otherwise never end. */
  private DeadLetterFilter untilNow(DeadLetterFilter filter) {
    Instant now = store.now().plusMillis(1);
    boolean asked = filter.diedBefore().filter(before -> before.isBefore(now)).isPresent();
    return asked ? filter : filter.withDiedBefore(now);
  }

  private static List<UUID> ids(List<DeadLetter> page) {
    return page.stream().map(DeadLetter::id).toList();
  }

  private static NotPossibleException nothingMatches(DeadLetterFilter filter) {
    return new NotPossibleException(
        filter.equals(DeadLetterFilter.all())
            ? "there is no dead letter, nothing was changed"
            : "no dead letter matches %s, nothing was changed; list with fewer conditions to see"
                    .formatted(filter)
                + " what there is");
  }

  private void requireDone(UUID id, Set<UUID> done) {
    if (!done.contains(id)) {
      throw notDead(id);
    }
  }

  private NotPossibleException notDead(UUID id) {
    String why =
        store
            .find(id)
            .map(stored -> "that message is " + stored.status())
            .or(() -> lastDecision(id))
            .orElse("no message of that id is stored");
    return new NotPossibleException(
        "%s is no dead letter: %s; nothing was changed".formatted(id, why));
  }

  private Optional<String> lastDecision(UUID id) {
    return letters.audit(Optional.of(id.toString()), 1).stream()
        .map(
            entry ->
                "%s did '%s' to it at %s (%s)"
                    .formatted(entry.by(), entry.action(), entry.at(), entry.reason()))
        .findFirst();
  }

  private OrderedStore<?> ordered(String verb) {
    if (store instanceof OrderedStore<?> ordered) {
      return ordered;
    }
    throw new NotPossibleException(
        "cannot %s: store '%s' keeps no order, so nothing waits behind a dead letter"
            .formatted(verb, store.name()));
  }
}
