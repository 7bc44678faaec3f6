package io.postroad.mongodb.internal.client;

/** The collections, without their prefix. */
public final class Names {
  /** The queue of the competing store. */
  public static final String OUTBOX = "outbox";

  /** Dead letters of the competing store, where they are moved. */
  public static final String DEAD = "outbox_dead";

  /** Deduplication keys, of both stores. */
  public static final String DEDUP = "outbox_dedup";

  /** The decisions of operators, of both kinds of stores. */
  public static final String AUDIT = "outbox_audit";

  /** Destinations that people have paused, of both stores. */
  public static final String PAUSE = "outbox_pause";

  /** Hints of nodes to each other. */
  static final String SIGNAL = "outbox_signal";

  /** Leases of things that one node does at a time. */
  public static final String LEASE = "outbox_lease";

  /** Which steps of the schema were applied. */
  public static final String HISTORY = "postroad_schema";

  /** The messages of the ordered store. */
  public static final String LOG = "outbox_log";

  public static final String LANE = "outbox_lane";
  public static final String COUNTER = "outbox_counter";
  public static final String NODE = "outbox_node";
  public static final String HELD = "outbox_held";
  public static final String HELD_KEY = "outbox_held_key";
  public static final String SCHEDULED = "outbox_scheduled";
  public static final String LOCK = "outbox_lock";

  /** Which handler had which message. */
  public static final String INBOX = "inbox";

  /** Messages that wait in the retry line. */
  public static final String INBOX_WAITING = "inbox_waiting";

  /** Commands, from the moment they are accepted until long after they ended. */
  public static final String COMMAND = "command";

  /** Sessions that handlers of commands use. */
  public static final String COMMAND_SESSION = "command_session";

  /** Hints of nodes to each other that commands were accepted. */
  public static final String COMMAND_SIGNAL = "command_signal";

  /** How each process stands. */
  public static final String PROCESS = "process_instance";

  /** The log of each process. */
  public static final String PROCESS_LOG = "process_log";

  /** The definitions that processes run on. */
  public static final String PROCESS_DEFINITION = "process_definition";

  /** Replies for processes that another transaction moves. */
  public static final String PROCESS_ARRIVAL = "process_arrival";

  private Names() {}
}
