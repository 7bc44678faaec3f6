package io.postroad.micrometer;

import java.util.List;

/**
 * The meters of Postroad, with name, kind, tags and meaning. {@code docs/reference/meters.md} has
 * the same list; a test compares them.
 *
 * <p>No tag has an id, a key or an error text. The tag {@code outbox} is the name of the meters.
 */
public enum PostroadMeter {
  OUTBOX_NEW(
      "outbox.new",
      Kind.COUNTER,
      Tags.MESSAGE,
      Source.BROKERLESS,
      "messages appended, in transactions that may still roll back"),
  OUTBOX_DEDUPLICATED(
      "outbox.deduplicated",
      Kind.COUNTER,
      Tags.MESSAGE,
      Source.POSTROAD,
      "messages not appended, because one before had their deduplication key"),
  OUTBOX_DONE(
      "outbox.done",
      Kind.COUNTER,
      Tags.MESSAGE,
      Source.BROKERLESS,
      "messages delivered; the same as outbox.published"),
  OUTBOX_PUBLISHED(
      "outbox.published", Kind.COUNTER, Tags.MESSAGE, Source.ADVERT_MARKET, "messages delivered"),
  OUTBOX_FAILED(
      "outbox.failed",
      Kind.COUNTER,
      List.of("outbox", "destination", "type", "outcome"),
      Source.BROKERLESS,
      "attempts that failed; outcome is retry, or dead for the last one"),
  OUTBOX_RECORDS_FAILED(
      "outbox.records.failed",
      Kind.COUNTER,
      Tags.MESSAGE,
      Source.ADVERT_MARKET,
      "messages that became dead letters"),
  OUTBOX_FAILED_EVENTS(
      "outbox.failed.events",
      Kind.COUNTER,
      Tags.MESSAGE,
      Source.PAYMENT_OUTBOX,
      "messages that became dead letters; the same as outbox.records.failed"),
  OUTBOX_RELEASED(
      "outbox.released",
      Kind.COUNTER,
      List.of("outbox", "destination", "type", "outcome"),
      Source.POSTROAD,
      "messages given back without counting an attempt; outcome is unknown (the sender could not"
          + " tell) or aside (their destination is down or paused)"),
  OUTBOX_POLL_COUNT(
      "outbox.poll.count", Kind.COUNTER, Tags.OUTBOX, Source.ADVERT_MARKET, "claims and reads"),
  OUTBOX_POLL_DURATION(
      "outbox.poll.duration",
      Kind.TIMER,
      Tags.OUTBOX,
      Source.ADVERT_MARKET,
      "how long a claim or read took in the database"),
  OUTBOX_LEASES_EXPIRED(
      "outbox.leases.expired",
      Kind.COUNTER,
      Tags.MESSAGE,
      Source.POSTROAD,
      "messages claimed again because the lease of another node had expired"),
  OUTBOX_FENCE_REJECTED(
      "outbox.fence.rejected",
      Kind.COUNTER,
      Tags.OUTBOX_VERB,
      Source.POSTROAD,
      "settles and extensions that came too late and changed nothing"),
  OUTBOX_STORE_FAILURES(
      "outbox.store.failures",
      Kind.COUNTER,
      Tags.OUTBOX_VERB,
      Source.POSTROAD,
      "failures of the database, by what was asked of it"),
  OUTBOX_PURGED(
      "outbox.purged",
      Kind.COUNTER,
      Tags.OUTBOX,
      Source.POSTROAD,
      "delivered messages removed after their retention"),
  OUTBOX_PURGES_BLOCKED(
      "outbox.purges.blocked",
      Kind.COUNTER,
      Tags.OUTBOX,
      Source.POSTROAD,
      "purges that another session kept from freeing space"),
  OUTBOX_LANES_LOST(
      "outbox.lanes.lost",
      Kind.COUNTER,
      Tags.OUTBOX,
      Source.POSTROAD,
      "lanes that this node lost to another"),
  OUTBOX_KEYS_HELD(
      "outbox.keys.held",
      Kind.COUNTER,
      List.of("outbox", "destination"),
      Source.POSTROAD,
      "keys held back because a message of theirs failed"),
  OUTBOX_LANES(
      "outbox.lanes", Kind.GAUGE, Tags.OUTBOX, Source.POSTROAD, "lanes that this node has"),
  OUTBOX_RELAYS(
      "outbox.relays",
      Kind.GAUGE,
      Tags.OUTBOX,
      Source.POSTROAD,
      "relays and workers that run on this node"),
  OUTBOX_DESTINATIONS_CLOSED(
      "outbox.destinations.closed",
      Kind.GAUGE,
      List.of("outbox", "reason"),
      Source.POSTROAD,
      "destinations that this node sends nothing to; reason is down or paused"),
  OUTBOX_CLOCK_SKEW(
      "outbox.clock.skew.seconds",
      Kind.GAUGE,
      Tags.OUTBOX,
      Source.POSTROAD,
      "how far this node's clock was ahead of the database's when its relay started, if too far"),
  OUTBOX_PENDING(
      "outbox.pending.events",
      Kind.GAUGE,
      Tags.OUTBOX,
      Source.PAYMENT_OUTBOX,
      "messages not delivered and not dead, counted up to 10,000"),
  OUTBOX_LAG(
      "outbox.lag.seconds",
      Kind.GAUGE,
      Tags.OUTBOX,
      Source.BROKERLESS,
      "how long the longest due message has been due"),
  OUTBOX_DEAD_LETTERS(
      "outbox.dead.letters",
      Kind.GAUGE,
      Tags.OUTBOX,
      Source.GUIDE,
      "dead letters, counted up to 10,000"),
  OUTBOX_KEYS_PARKED(
      "outbox.keys.parked",
      Kind.GAUGE,
      Tags.OUTBOX,
      Source.POSTROAD,
      "keys that wait behind a dead letter, counted up to 10,000"),
  OUTBOX_MESSAGES_PARKED(
      "outbox.messages.parked",
      Kind.GAUGE,
      Tags.OUTBOX,
      Source.POSTROAD,
      "messages of parked keys, counted up to 10,000"),
  OUTBOX_SET_ASIDE(
      "outbox.messages.aside",
      Kind.GAUGE,
      Tags.OUTBOX,
      Source.POSTROAD,
      "messages that wait for destinations that are down or paused, counted up to 10,000 each"),
  PROCESSING_INFLIGHT(
      "processing.inflight",
      Kind.GAUGE,
      List.of("part"),
      Source.BROKERLESS,
      "messages or commands that this node works on now; part is the name it was given"),
  INBOX_MESSAGES(
      "inbox.messages",
      Kind.COUNTER,
      List.of("destination", "type", "handler", "outcome"),
      Source.POSTROAD,
      "messages received; outcome is handled, repeated, retry (moved to the retry line) or ignored"
          + " (its type has no handler)"),
  INBOX_STORE_FAILURES(
      "inbox.store.failures",
      Kind.COUNTER,
      List.of(),
      Source.POSTROAD,
      "failures of the database; the message comes again"),
  INBOX_FORGOTTEN(
      "inbox.forgotten",
      Kind.COUNTER,
      List.of(),
      Source.POSTROAD,
      "entries removed after their retention"),
  COMMAND_ACCEPTED(
      "command.accepted",
      Kind.COUNTER,
      Tags.TYPE,
      Source.GUIDE,
      "commands accepted, in transactions that may still roll back"),
  COMMAND_REPEATED(
      "command.repeated",
      Kind.COUNTER,
      List.of("type", "outcome"),
      Source.POSTROAD,
      "commands whose idempotency key was known; outcome is same, or different for another command"
          + " under that key"),
  COMMAND_CLAIMED(
      "command.claimed", Kind.COUNTER, Tags.TYPE, Source.POSTROAD, "commands taken by this node"),
  COMMAND_ENDED(
      "command.ended",
      Kind.COUNTER,
      List.of("type", "outcome", "code"),
      Source.GUIDE,
      "commands that ended; outcome is completed, failed, timed-out or cancelled, code why it"
          + " failed"),
  COMMAND_DURATION(
      "command.duration",
      Kind.TIMER,
      Tags.TYPE,
      Source.POSTROAD,
      "from the begin of the handler's transaction to its commit, of commands that completed"),
  COMMAND_RETRIES(
      "command.retries",
      Kind.COUNTER,
      Tags.TYPE,
      Source.GUIDE,
      "attempts that failed and are followed by another"),
  COMMAND_TROUBLE(
      "command.trouble",
      Kind.COUNTER,
      List.of("type", "outcome"),
      Source.POSTROAD,
      "runs without an end; outcome is lost (to another worker), stuck (its thread was given up),"
          + " released (not begun) or handed-over (left to another node)"),
  COMMAND_LATE(
      "command.late",
      Kind.COUNTER,
      Tags.TYPE,
      Source.POSTROAD,
      "commands handled after their caller had been told that they timed out"),
  COMMAND_REPLIES_IGNORED(
      "command.replies.ignored",
      Kind.COUNTER,
      List.of(),
      Source.POSTROAD,
      "replies to commands that have ended"),
  COMMAND_REPLIES_MISDELIVERED(
      "command.replies.misdelivered",
      Kind.COUNTER,
      List.of(),
      Source.POSTROAD,
      "replies of another service, or to commands that the database does not have; each becomes a"
          + " dead letter"),
  COMMAND_STORE_FAILURES(
      "command.store.failures",
      Kind.COUNTER,
      List.of("verb"),
      Source.POSTROAD,
      "failures of the database, by what was asked of it"),
  COMMAND_FORGOTTEN(
      "command.forgotten",
      Kind.COUNTER,
      List.of(),
      Source.POSTROAD,
      "commands removed after their retention"),
  PROCESS_STARTED(
      "process.started", Kind.COUNTER, Tags.TYPE, Source.GUIDE, "processes that were started"),
  PROCESS_ENDED(
      "process.ended",
      Kind.COUNTER,
      List.of("type", "status"),
      Source.GUIDE,
      "processes that ended; status is SUCCEEDED, FAILED or COMPENSATED"),
  PROCESS_EVENTS(
      "process.events",
      Kind.COUNTER,
      List.of("type", "event"),
      Source.POSTROAD,
      "entries of the log of processes"),
  PROCESS_STEP_DURATION(
      "process.step.duration",
      Kind.TIMER,
      List.of("type", "step", "outcome"),
      Source.POSTROAD,
      "from giving a step's latest command to the bus to its end; outcome is completed, failed or"
          + " timed-out"),
  PROCESS_STEP_RETRIES(
      "process.step.retries",
      Kind.COUNTER,
      List.of("type", "step"),
      Source.GUIDE,
      "steps that failed and are tried again"),
  PROCESS_STUCK(
      "process.stuck",
      Kind.COUNTER,
      Tags.TYPE,
      Source.POSTROAD,
      "checks of an active process that found nothing pending"),
  PROCESS_REPLIES_IGNORED(
      "process.replies.ignored",
      Kind.COUNTER,
      List.of("outcome"),
      Source.POSTROAD,
      "replies that changed nothing; outcome is REPEATED or FOREIGN"),
  PROCESS_REPLIES_ASIDE(
      "process.replies.aside",
      Kind.COUNTER,
      List.of(),
      Source.POSTROAD,
      "replies that could not be applied and were set aside"),
  PROCESS_STORE_FAILURES(
      "process.store.failures",
      Kind.COUNTER,
      List.of("verb"),
      Source.POSTROAD,
      "failures of the database, by what was asked of it"),
  PROCESS_FORGOTTEN(
      "process.forgotten",
      Kind.COUNTER,
      List.of(),
      Source.POSTROAD,
      "processes removed after their retention");

  /** The kind of a meter. */
  public enum Kind {
    COUNTER,
    GAUGE,
    TIMER
  }

  /** The document that asks for a meter. */
  public enum Source {
    ADVERT_MARKET("advert-market-outbox-poller"),
    BROKERLESS("brokerless-outbox-mongodb"),
    GUIDE("messaging-platform-guide"),
    PAYMENT_OUTBOX("payment-outbox-spring-kafka"),
    POSTROAD("-");

    private final String document;

    Source(String document) {
      this.document = document;
    }

    /** Returns the name of the document; {@code -} for meters that Postroad adds. */
    public String document() {
      return document;
    }
  }

  private static final class Tags {
    static final List<String> OUTBOX = List.of("outbox");
    static final List<String> OUTBOX_VERB = List.of("outbox", "verb");
    static final List<String> MESSAGE = List.of("outbox", "destination", "type");
    static final List<String> TYPE = List.of("type");
  }

  private final String meterName;
  private final Kind kind;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> tags;

  private final Source source;
  private final String meaning;

  PostroadMeter(String meterName, Kind kind, List<String> tags, Source source, String meaning) {
    this.meterName = meterName;
    this.kind = kind;
    this.tags = tags;
    this.source = source;
    this.meaning = meaning;
  }

  /** Returns its name in Micrometer, for example {@code outbox.lag.seconds}. */
  public String meterName() {
    return meterName;
  }

  /**
   * Returns its name in Prometheus, for example {@code outbox_new_total}; Prometheus adds {@code
   * _count}, {@code _sum} and {@code _max} to the name of a timer.
   */
  public String prometheusName() {
    String name = meterName.replace('.', '_');
    return switch (kind) {
      case COUNTER -> name + "_total";
      case GAUGE -> name;
      case TIMER -> name + "_seconds";
    };
  }

  public Kind kind() {
    return kind;
  }

  /** Returns the names of its tags, all of which it always has. */
  public List<String> tags() {
    return tags;
  }

  public Source source() {
    return source;
  }

  /** Returns its meaning, in one line. */
  public String meaning() {
    return meaning;
  }
}
