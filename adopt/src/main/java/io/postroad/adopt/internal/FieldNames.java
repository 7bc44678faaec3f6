package io.postroad.adopt.internal;

import static io.postroad.adopt.ColumnKind.BYTES;
import static io.postroad.adopt.ColumnKind.ENUM;
import static io.postroad.adopt.ColumnKind.JSON;
import static io.postroad.adopt.ColumnKind.NUMBER;
import static io.postroad.adopt.ColumnKind.OBJECT_ID;
import static io.postroad.adopt.ColumnKind.TEXT;
import static io.postroad.adopt.ColumnKind.TIME_WITHOUT_ZONE;
import static io.postroad.adopt.ColumnKind.TIME_WITH_ZONE;
import static io.postroad.adopt.ColumnKind.UUID;

import io.postroad.adopt.ColumnKind;
import io.postroad.adopt.ColumnShape;
import io.postroad.layout.Field;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Usual names of columns of an outbox, the likeliest first, without case and underscores, and the
 * kinds of column that fit.
 */
public final class FieldNames {
  /** Boolean columns that say whether a message was sent. */
  private static final Set<String> MARKS =
      Set.of(
          "published",
          "processed",
          "sent",
          "delivered",
          "dispatched",
          "done",
          "completed",
          "handled",
          "acked",
          "ispublished",
          "isprocessed",
          "issent",
          "isdelivered",
          "isdispatched",
          "isdone",
          "iscompleted",
          "wassent");

  private static final Map<Field, FieldNames> ALL = new EnumMap<>(Field.class);

  static {
    Set<ColumnKind> texts = EnumSet.of(TEXT);
    Set<ColumnKind> names = EnumSet.of(TEXT, UUID, NUMBER);
    Set<ColumnKind> numbers = EnumSet.of(NUMBER);
    Set<ColumnKind> times = EnumSet.of(TIME_WITH_ZONE, TIME_WITHOUT_ZONE);
    put(
        Field.ID,
        EnumSet.of(TEXT, UUID, NUMBER, OBJECT_ID),
        "id eventid messageid outboxid eventuuid messageuuid uuid guid recordid entryid");
    put(Field.CATEGORY, texts, "category messagecategory");
    put(
        Field.TYPE,
        texts,
        "eventtype messagetype type eventname messagename commandtype eventkind kind");
    put(Field.AGGREGATE_TYPE, texts, "aggregatetype aggregatename aggregate entitytype entityname");
    put(Field.AGGREGATE_ID, names, "aggregateid aggregateuuid aggregatekey entityid");
    put(
        Field.KEY,
        names,
        "partitionkey messagekey routingkey orderingkey eventkey kafkakey recordkey key");
    put(
        Field.DESTINATION,
        texts,
        "topic destination targettopic kafkatopic topicname destinationtopic queue queuename"
            + " targetqueue stream streamname channel exchange target");
    put(Field.TENANT, names, "tenant tenantid tenantcode tenantkey");
    put(
        Field.SCHEMA_VERSION,
        numbers,
        "schemaversion eventversion payloadversion messageversion version");
    put(Field.HEADERS, texts, "headers messageheaders eventheaders kafkaheaders");
    put(Field.CONTENT_TYPE, texts, "contenttype mimetype mediatype payloadcontenttype");
    put(
        Field.PAYLOAD,
        EnumSet.of(TEXT, JSON, BYTES),
        "payload body data content message eventpayload eventdata eventbody messagebody"
            + " messagepayload payloadjson");
    put(
        Field.DEDUPLICATION_KEY,
        names,
        "deduplicationkey dedupkey dedupekey idempotencykey deduplicationid dedupid"
            + " idempotencyid");
    put(Field.NOT_BEFORE, times, "");
    put(
        Field.CREATED_AT,
        times,
        "createdat created createdon createddate creationtime createdtime insertedat occurredat"
            + " occurredon eventtime timestamp");
    put(
        Field.STATUS,
        EnumSet.of(TEXT, ENUM),
        "status state outboxstatus eventstatus messagestatus deliverystatus publishstatus"
            + " processingstatus");
    put(
        Field.DUE_AT,
        times,
        "nextretryat nextattemptat nexttryat retryat nextretry nextattempt availableat dueat"
            + " visibleat scheduledfor scheduledat deliverat sendat processafter notbefore");
    put(
        Field.ATTEMPTS,
        numbers,
        "retrycount attempts retries attemptcount trycount tries retryattempts deliveryattempts"
            + " attempt failurecount");
    put(
        Field.LEASE_OWNER,
        texts,
        "leaseowner lockedby claimedby lockowner pickedby leasedby processingby");
    put(
        Field.LEASE_UNTIL,
        times,
        "leaseuntil lockeduntil claimeduntil lockuntil leaseexpiresat lockexpiresat");
    put(Field.LEASE_TOKEN, numbers, "");
    put(
        Field.LAST_ERROR,
        texts,
        "lasterror errormessage error lasterrormessage failurereason failuremessage errortext"
            + " errordetails");
    put(
        Field.SETTLED_AT,
        times,
        "publishedat processedat sentat deliveredat dispatchedat completedat publishedon"
            + " processedon senton doneat finishedat");
    put(Field.ASIDE_AT, times, "");
  }

  private final Set<ColumnKind> kinds;
  private final List<String> names;

  private FieldNames(Set<ColumnKind> kinds, List<String> names) {
    this.kinds = kinds;
    this.names = names;
  }

  private static void put(Field field, Set<ColumnKind> kinds, String names) {
    ALL.put(field, new FieldNames(kinds, names.isEmpty() ? List.of() : List.of(names.split(" "))));
  }

  public static FieldNames of(Field field) {
    FieldNames names = ALL.get(field);
    if (names == null) {
      throw new IllegalStateException("no names for " + field);
    }
    return names;
  }

  /** Returns the names, the likeliest first. */
  List<String> names() {
    return names;
  }

  /** Whether a column has one of these names. */
  public boolean knows(ColumnShape column) {
    return names.contains(plain(column.name()));
  }

  /** Whether a column can hold the field. */
  boolean fits(ColumnShape column) {
    return column.kind() == ColumnKind.UNKNOWN || kinds.contains(column.kind());
  }

  /** Returns the place of the name of a column among these names; less is likelier. */
  int rank(ColumnShape column) {
    return names.indexOf(plain(column.name()));
  }

  Set<ColumnKind> kinds() {
    return kinds;
  }

  /** Whether a column marks delivered rows by a boolean or a time. */
  public static boolean isMark(ColumnShape column) {
    return (column.kind() == ColumnKind.BOOLEAN && MARKS.contains(plain(column.name())))
        || of(Field.SETTLED_AT).knows(column);
  }

  /** Whether the name of a column sounds like a status. */
  public static boolean isLikeAStatus(ColumnShape column) {
    String name = plain(column.name());
    return !name.startsWith("postroad") && (name.contains("status") || name.contains("state"));
  }

  /** Returns a name without case, underscores, dashes and blanks. */
  public static String plain(String name) {
    return name.replaceAll("[_\\- ]", "").toLowerCase(Locale.ROOT);
  }
}
