package io.postroad.mongodb;

/** The collections, without their prefix. */
final class Names {
  /** The queue of the competing store. */
  static final String OUTBOX = "outbox";

  /** Dead letters of the competing store, where they are moved. */
  static final String DEAD = "outbox_dead";

  /** Deduplication keys, of both stores. */
  static final String DEDUP = "outbox_dedup";

  /** What people decided, about both stores. */
  static final String AUDIT = "outbox_audit";

  /** Destinations that people have paused, of both stores. */
  static final String PAUSE = "outbox_pause";

  /** Hints of nodes to each other. */
  static final String SIGNAL = "outbox_signal";

  /** Leases of things that one node does at a time. */
  static final String LEASE = "outbox_lease";

  /** Which steps of the schema were applied. */
  static final String HISTORY = "postroad_schema";

  /** The messages of the ordered store. */
  static final String LOG = "outbox_log";

  static final String LANE = "outbox_lane";
  static final String COUNTER = "outbox_counter";
  static final String NODE = "outbox_node";
  static final String HELD = "outbox_held";
  static final String HELD_KEY = "outbox_held_key";
  static final String SCHEDULED = "outbox_scheduled";
  static final String LOCK = "outbox_lock";

  /** Which handler had which message. */
  static final String INBOX = "inbox";

  /** Messages that wait in the retry line. */
  static final String INBOX_WAITING = "inbox_waiting";

  /** Commands, from the moment they are accepted until long after they ended. */
  static final String COMMAND = "command";

  /** Sessions that handlers of commands use. */
  static final String COMMAND_SESSION = "command_session";

  /** Hints of nodes to each other that commands were accepted. */
  static final String COMMAND_SIGNAL = "command_signal";

  /** How each process stands. */
  static final String PROCESS = "process_instance";

  /** What happened to each process. */
  static final String PROCESS_LOG = "process_log";

  /** The definitions that processes run on. */
  static final String PROCESS_DEFINITION = "process_definition";

  /** Replies for processes that another transaction moves. */
  static final String PROCESS_ARRIVAL = "process_arrival";

  private Names() {}
}
