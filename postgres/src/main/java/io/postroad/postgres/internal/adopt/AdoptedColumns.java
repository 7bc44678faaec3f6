package io.postroad.postgres.internal.adopt;

import io.postroad.layout.Counting;
import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.PayloadForm;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.schema.TableCatalog;
import io.postroad.postgres.internal.schema.TableCatalog.Column;
import io.postroad.postgres.internal.schema.TableName;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Maps a table of a team to the columns of {@code outbox_queue} and back: for each column an
 * expression over a row {@code q} of the team's table, and for each column of the team's table the
 * value that an insert or update of a message {@code m} writes.
 *
 * <p>The expressions are IMMUTABLE, so that indexes can be made of them. An index serves a
 * statement only if both have the same expression, so no other class writes these expressions.
 */
public final class AdoptedColumns {
  static final String ID_ADDED = Field.ID.addedName();
  static final String STRANGER_UNTIL = "postroad_stranger_until";
  static final String STRANGER_XID = "postroad_stranger_xid";
  static final String BLOCKED = "postroad_blocked";
  public static final String PLACE = "postroad_place";
  static final String PAYLOAD_BYTES = "postroad_payload_bytes";

  private static final String UUID_TEXT =
      "'^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'";

  private static final int MOST = 1_000_000_000;
  private static final String LONG_AGO = "TIMESTAMPTZ '1970-01-01 00:00:00+00'";

  private final Layout layout;
  private final TableCatalog catalog;
  private final String row;

  public AdoptedColumns(Layout layout, TableCatalog catalog) {
    this(layout, catalog, "q.");
  }

  private AdoptedColumns(Layout layout, TableCatalog catalog, String row) {
    this.layout = layout;
    this.catalog = catalog;
    this.row = row;
  }

  /** Returns the same expressions without the row's name, for the definition of an index. */
  public AdoptedColumns ofIndex() {
    return new AdoptedColumns(layout, catalog, "");
  }

  public Layout layout() {
    return layout;
  }

  public TableCatalog catalog() {
    return catalog;
  }

  /** Returns the columns that Postroad adds, with their definitions, present or not. */
  public Map<String, String> added() {
    Map<String, String> added = new LinkedHashMap<>();
    for (Field field : Field.values()) {
      if (layout.column(field).isEmpty() && field != Field.LEASE_UNTIL) {
        added.put(field.addedName(), definition(field));
      }
    }
    if (idIsNumber()) {
      added.put(ID_ADDED, "uuid");
    }
    if (keepsText()) {
      added.put(PAYLOAD_BYTES, "bytea");
    }
    if (layout.ordered()) {
      added.put(BLOCKED, "integer");
      added.put(PLACE, "bigint NOT NULL DEFAULT 0");
    }
    if (layout.statuses().processing().isPresent()) {
      added.put(STRANGER_UNTIL, "timestamptz");
      added.put(STRANGER_XID, "bigint");
    }
    return added;
  }

  private String definition(Field field) {
    return switch (field) {
      case SCHEMA_VERSION, ATTEMPTS -> "integer";
      case LEASE_TOKEN -> "bigint";
      case NOT_BEFORE, DUE_AT, SETTLED_AT, ASIDE_AT -> "timestamptz";
      // Evaluated once: existing rows get the time of the migration.
      case CREATED_AT -> "timestamptz NOT NULL DEFAULT now()";
      case STATUS -> "text NOT NULL DEFAULT " + TableName.literal(layout.statusOfRowsWithoutOne());
      default -> "text";
    };
  }

  /** Returns the rows of the table with the columns of {@code outbox_queue}. */
  public String rows() {
    return "(SELECT %s FROM %s AS q)"
        .formatted(
            ours().entrySet().stream()
                .map(each -> each.getValue() + " AS " + each.getKey())
                .collect(Collectors.joining(", ")),
            catalog.table().quoted());
  }

  /** Returns the expressions of the columns that {@link MessageColumns#READ} names. */
  String message() {
    Map<String, String> ours = ours();
    return MessageColumns.NAMES.stream().map(ours::get).collect(Collectors.joining(", "));
  }

  private Map<String, String> ours() {
    Map<String, String> ours = new LinkedHashMap<>();
    ours.put("outbox_id", id());
    ours.put("category", text(Field.CATEGORY));
    ours.put("type", text(Field.TYPE));
    ours.put("aggregate_type", text(Field.AGGREGATE_TYPE));
    ours.put("aggregate_id", text(Field.AGGREGATE_ID));
    ours.put("message_key", text(Field.KEY));
    ours.put("destination", text(Field.DESTINATION));
    ours.put("tenant", text(Field.TENANT));
    ours.put("schema_version", integer(Field.SCHEMA_VERSION, 1));
    ours.put("headers", "COALESCE(%s, '')".formatted(text(Field.HEADERS)));
    ours.put("content_type", text(Field.CONTENT_TYPE));
    ours.put("payload", payload());
    ours.put("payload_bytes", payloadBytes());
    ours.put("dedup_key", deduplicationKey());
    ours.put("not_before", time(Field.NOT_BEFORE));
    ours.put("created_at", created());
    ours.put("status", status());
    ours.put("available_at", due());
    ours.put("attempt", attempt());
    ours.put("lease_token", token());
    ours.put("lease_owner", text(Field.LEASE_OWNER));
    ours.put("last_error", text(Field.LAST_ERROR));
    ours.put("settled_at", time(Field.SETTLED_AT));
    ours.put("aside_at", time(Field.ASIDE_AT));
    if (layout.ordered()) {
      ours.put("place", place());
      ours.put("age", age());
    }
    unseenStranger().ifPresent(unseen -> ours.put("unseen", unseen));
    return ours;
  }

  /** Returns a column of the team, quoted, of a row {@code q}. */
  public String raw(Field field) {
    return row + column(field);
  }

  /** Returns a column of the team, quoted. */
  String column(Field field) {
    return TableName.quoted(layout.columnOrAdded(field));
  }

  public Optional<Column> own(Field field) {
    return layout.column(field).flatMap(catalog::column);
  }

  public String id() {
    Column own = own(Field.ID).orElseThrow();
    String raw = raw(Field.ID);
    if (own.isUuid()) {
      return raw;
    }
    if (own.isNumber()) {
      String hex = "lpad(to_hex(CAST(%s AS bigint)), 16, '0')".formatted(raw);
      return ("COALESCE(%s, CAST(substr(%s, 1, 8) || '-' || substr(%s, 9, 4)"
              + " || '-8000-8000-00000000' || substr(%s, 13, 4) AS uuid))")
          .formatted(row + ID_ADDED, hex, hex, hex);
    }
    String text = asText(own, raw);
    return "CASE WHEN %s ~* %s THEN CAST(%s AS uuid) ELSE CAST(md5(%s) AS uuid) END"
        .formatted(text, UUID_TEXT, text, text);
  }

  boolean idIsNumber() {
    return own(Field.ID).map(Column::isNumber).orElse(false);
  }

  /** Whether the table's own key finds a message by its id. */
  public boolean idIsOurs() {
    return own(Field.ID).map(Column::isUuid).orElse(false);
  }

  /** Returns the conflict target of an insert with an existing id. */
  String idConflict() {
    return idIsNumber() ? "((%s))".formatted(ofIndex().id()) : "(" + column(Field.ID) + ")";
  }

  /** Returns a text with its fallback; an empty text in a column of the team counts as none. */
  public String text(Field field) {
    String value =
        own(field)
            .map(column -> "NULLIF(%s, '')".formatted(asText(column, raw(field))))
            .orElse(raw(field));
    return layout
        .fallback(field)
        .map(fallback -> "COALESCE(%s, %s)".formatted(value, fallback(fallback)))
        .orElse(value);
  }

  private String fallback(Fallback fallback) {
    String text = TableName.literal(fallback.text());
    return fallback
        .of()
        .map(field -> fallback.text().isEmpty() ? text(field) : text + " || " + text(field))
        .orElse("CAST(%s AS text)".formatted(text));
  }

  private static String asText(Column column, String raw) {
    return column.base().equals("text") ? raw : "CAST(%s AS text)".formatted(raw);
  }

  /** Returns a number within bounds, so that one bad row does not fail the statement. */
  private String integer(Field field, int least) {
    return "CAST(LEAST(GREATEST(COALESCE(%s, %d), %d), %d) AS integer)"
        .formatted(raw(field), least, least, MOST);
  }

  private String payload() {
    return keepsText()
        ? "CASE WHEN %s IS NULL THEN %s END".formatted(row + PAYLOAD_BYTES, payloadText())
        : "CASE WHEN %s THEN %s END".formatted(isTextual(), storedBytes());
  }

  private String payloadBytes() {
    return keepsText()
        ? row + PAYLOAD_BYTES
        : "CASE WHEN NOT (%s) THEN %s END".formatted(isTextual(), storedBytes());
  }

  private String payloadText() {
    return asText(own(Field.PAYLOAD).orElseThrow(), raw(Field.PAYLOAD));
  }

  /** Returns the bytes of a column that holds no plain text; null for invalid base64. */
  private String storedBytes() {
    if (own(Field.PAYLOAD).orElseThrow().isBytes()) {
      return raw(Field.PAYLOAD);
    }
    String packed = "translate(%s, E' \\n\\r\\t', '')".formatted(payloadText());
    return "CASE WHEN length(%s) %% 4 = 0 AND %s ~ '^[A-Za-z0-9+/]*={0,2}$' THEN decode(%s, 'base64') END"
        .formatted(packed, packed, packed);
  }

  private String isTextual() {
    String type = text(Field.CONTENT_TYPE);
    return "%s LIKE 'text/%%' OR %s LIKE '%%json%%'".formatted(type, type);
  }

  /** Whether the payload's column holds text, so that bytes need another column. */
  boolean keepsText() {
    return layout.payload() != PayloadForm.BASE64
        && own(Field.PAYLOAD).map(column -> !column.isBytes()).orElse(true);
  }

  private String deduplicationKey() {
    String key = text(Field.DEDUPLICATION_KEY);
    return own(Field.DEDUPLICATION_KEY).map(Column::notNull).orElse(false)
        ? "NULLIF(%s, CAST(%s AS text))".formatted(key, id())
        : key;
  }

  /** Returns a time with its zone. */
  public String time(Field field) {
    return own(field)
        .filter(column -> !column.hasZone())
        .map(column -> "(%s AT TIME ZONE %s)".formatted(raw(field), zone()))
        .orElse(raw(field));
  }

  /** Returns a time in the type of the team's column. */
  String stored(Field field, String time) {
    return own(field)
        .filter(column -> !column.hasZone())
        .map(column -> "(%s AT TIME ZONE %s)".formatted(time, zone()))
        .orElse(time);
  }

  /** Returns an offset as an interval: as text, PostgreSQL takes +9 as west of Greenwich. */
  private String zone() {
    return layout.zone().normalized() instanceof ZoneOffset offset
        ? "INTERVAL '%d seconds'".formatted(offset.getTotalSeconds())
        : TableName.literal(layout.zone().getId());
  }

  /** Returns the creation time; long ago where a row has none, so that the row comes first. */
  public String created() {
    String created = time(Field.CREATED_AT);
    return own(Field.CREATED_AT).isEmpty()
        ? created
        : "CASE WHEN isfinite(%s) THEN %s ELSE %s END".formatted(created, created, LONG_AGO);
  }

  /**
   * Returns the number that orders messages of a key. The database draws it when a row is inserted,
   * independent of clocks and ids. Rows from before have 0, so {@link #age()} orders them.
   */
  public String place() {
    return row + PLACE;
  }

  /** Returns the order of rows with the same {@link #place()}, before the id. */
  public String age() {
    return idIsNumber() ? raw(Field.ID) : created();
  }

  /** Returns Postroad's status of a row, null for a word that the layout does not know. */
  public String status() {
    return "CASE %s %s WHEN %s THEN 'DISPATCHED' WHEN %s THEN 'FAILED' END"
        .formatted(
            raw(Field.STATUS),
            layout.statuses().undelivered().stream()
                .map(word -> "WHEN %s THEN 'PENDING'".formatted(TableName.literal(word)))
                .collect(Collectors.joining(" ")),
            TableName.literal(layout.statuses().delivered()),
            TableName.literal(layout.statuses().dead()));
  }

  /** Returns the team's word for a status, in the type of its column. */
  String word(String word) {
    return "CAST(%s AS %s)".formatted(word, own(Field.STATUS).map(Column::type).orElse("text"));
  }

  /** Returns when a row may be claimed, or taken over from other code that keeps no lease. */
  public String due() {
    String due = "COALESCE(%s, %s)".formatted(time(Field.DUE_AT), created());
    return layout
        .statuses()
        .processing()
        .map(
            word ->
                "CASE WHEN %s THEN COALESCE(%s, TIMESTAMPTZ 'infinity') ELSE %s END"
                    .formatted(stranger(word), row + STRANGER_UNTIL, due))
        .orElse(due);
  }

  private String stranger(String word) {
    return "%s = %s AND %s IS NULL"
        .formatted(raw(Field.STATUS), TableName.literal(word), raw(Field.LEASE_OWNER));
  }

  /** Returns the condition of rows that other code, without a lease, works on. */
  public Optional<String> stranger() {
    return layout.statuses().processing().map(this::stranger);
  }

  /**
   * Returns the condition of a {@link #stranger} that was not seen yet, or that was written since:
   * code that gives a row back and takes it again has the whole time again.
   */
  Optional<String> unseenStranger() {
    return stranger()
        .map(
            stranger ->
                "%s AND (%s IS NULL OR %s IS DISTINCT FROM CAST(CAST(%s AS text) AS bigint))"
                    .formatted(stranger, row + STRANGER_UNTIL, row + STRANGER_XID, row + "xmin"));
  }

  String token() {
    return "COALESCE(%s, 0)".formatted(raw(Field.LEASE_TOKEN));
  }

  String counter() {
    return integer(Field.ATTEMPTS, 0);
  }

  /** Returns the number of attempts, including a present claim and the delivery. */
  private String attempt() {
    return layout.counting() == Counting.AT_CLAIM
        ? counter()
        : "%s + CASE WHEN %s IS NOT NULL OR %s = 'DISPATCHED' THEN 1 ELSE 0 END"
            .formatted(counter(), raw(Field.LEASE_OWNER), status());
  }

  /** Returns the team's columns with the values of a message {@code m}. */
  Map<String, String> written() {
    Map<String, String> written = new LinkedHashMap<>();
    if (idIsNumber()) {
      written.put(TableName.quoted(ID_ADDED), "m.outbox_id");
    } else {
      written.put(column(Field.ID), idIsOurs() ? "m.outbox_id" : "CAST(m.outbox_id AS text)");
    }
    put(written, Field.CATEGORY, "m.category");
    put(written, Field.TYPE, "m.type");
    put(written, Field.AGGREGATE_TYPE, "m.aggregate_type");
    put(written, Field.AGGREGATE_ID, "m.aggregate_id");
    put(written, Field.KEY, "m.message_key");
    put(written, Field.DESTINATION, "m.destination");
    put(written, Field.TENANT, "m.tenant");
    put(written, Field.SCHEMA_VERSION, "m.schema_version");
    put(written, Field.HEADERS, "m.headers");
    put(written, Field.CONTENT_TYPE, "m.content_type");
    putPayload(written);
    String key = "m.dedup_key";
    put(
        written,
        Field.DEDUPLICATION_KEY,
        own(Field.DEDUPLICATION_KEY).map(Column::notNull).orElse(false)
            ? "COALESCE(%s, CAST(m.outbox_id AS text))".formatted(key)
            : key);
    written.put(column(Field.NOT_BEFORE), stored(Field.NOT_BEFORE, "m.not_before"));
    return written;
  }

  private void put(Map<String, String> written, Field field, String value) {
    Optional<Column> own = own(field);
    String stored = value;
    if (own.isPresent() && own.get().notNull() && own.get().isText()) {
      stored = "COALESCE(%s, '')".formatted(value);
    }
    if (own.isPresent() && !own.get().base().equals("text")) {
      stored = "CAST(%s AS %s)".formatted(stored, own.get().type());
    }
    written.put(column(field), stored);
  }

  private void putPayload(Map<String, String> written) {
    Column own = own(Field.PAYLOAD).orElseThrow();
    String bytes = "COALESCE(m.payload_bytes, convert_to(m.payload, 'UTF8'))";
    if (own.isBytes()) {
      written.put(column(Field.PAYLOAD), bytes);
    } else if (layout.payload() == PayloadForm.BASE64) {
      written.put(column(Field.PAYLOAD), "encode(%s, 'base64')".formatted(bytes));
    } else {
      String text =
          own.isJson()
              ? "CAST(COALESCE(m.payload, 'null') AS %s)".formatted(own.type())
              : "COALESCE(m.payload, '')";
      written.put(column(Field.PAYLOAD), text);
      written.put(PAYLOAD_BYTES, "m.payload_bytes");
    }
  }
}
