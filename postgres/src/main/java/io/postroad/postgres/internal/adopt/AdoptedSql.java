package io.postroad.postgres.internal.adopt;

import io.postroad.layout.Counting;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Statuses;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.admin.BlockedDestinationSql;
import io.postroad.postgres.internal.admin.QueueDeadLetters;
import io.postroad.postgres.internal.append.AppendSql;
import io.postroad.postgres.internal.append.MessageBinding;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.postgres.internal.schema.TableCatalog.Column;
import io.postroad.postgres.internal.schema.TableName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Statements that write into a table of a team. Parameters and results are those of {@link
 * OutboxSql}, {@link AppendSql}, {@link BlockedDestinationSql} and {@link QueueDeadLetters}.
 * Statements that only read are the same as there, over {@link AdoptedColumns#rows()}.
 */
public final class AdoptedSql {
  // Marks rows that other code, without a lease, works on, once, when they are first seen.
  private static final String STAMP =
      """
      stamped AS (
        UPDATE ${table} AS q
        SET ${stranger_until} = ${now} + INTERVAL '${strangers_after} microseconds',
          ${stranger_xid} = CAST(CAST(CAST(pg_current_xact_id() AS xid) AS text) AS bigint)
        WHERE q.ctid = ANY (ARRAY(
          SELECT q.ctid
          FROM ${table} AS q
          WHERE ${unseen_stranger}
          LIMIT 1000
          FOR UPDATE SKIP LOCKED))
      ),
      """;

  // Finds a row of the same key that must be delivered before the row o.
  private static final String EARLIER =
      """
      FROM ${rows} AS e
        WHERE e.destination = o.destination AND e.message_key = o.message_key
          AND e.status IS DISTINCT FROM 'DISPATCHED' AND (e.place, e.age, e.outbox_id) < (o.place, o.age, o.outbox_id)""";

  private static final String FIRST_OF_ITS_KEY =
      """
      AND (o.message_key IS NULL OR NOT EXISTS (
        SELECT 1
        %s))"""
          .formatted(EARLIER);

  // Puts off due rows behind another row of their key, longer each time, so that not every claim
  // reads them. The row before is locked meanwhile. A node that is delivering that row now is not
  // disturbed, and a node that delivers it later sees this update and makes the next row due.
  private static final String BLOCK =
      """
      WITH due AS MATERIALIZED (
        SELECT o.outbox_id, o.destination, o.message_key, o.place, o.age
        FROM ${rows} AS o
        WHERE o.status = 'PENDING' AND ${due}
        ORDER BY ${by_due}
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      ), behind AS MATERIALIZED (
        SELECT o.outbox_id
        FROM due AS o
        CROSS JOIN LATERAL (
          SELECT 1
          ${earlier}
          LIMIT 1
          FOR SHARE SKIP LOCKED) AS before
        WHERE o.message_key IS NOT NULL
      )
      UPDATE ${table} AS q
      SET ${due_at} = ${looked_at_again}, ${blocked} = COALESCE(q.${blocked}, 0) + 1
      WHERE ${id} = ANY (ARRAY(SELECT outbox_id FROM behind))
      """;

  private static final String WAKE =
      """
      WITH next AS MATERIALIZED (
        SELECT n.outbox_id
        FROM (
          SELECT DISTINCT k.destination, k.message_key
          FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS k(destination, message_key)) AS o
        CROSS JOIN LATERAL (
          SELECT e.outbox_id
          FROM ${rows} AS e
          WHERE e.destination = o.destination AND e.message_key = o.message_key
            AND e.status IS DISTINCT FROM 'DISPATCHED'
          ORDER BY e.place, e.age, e.outbox_id
          LIMIT 1) AS n
      )
      UPDATE ${table} AS q
      SET ${due_at} = ${due_now}, ${blocked} = NULL
      WHERE ${id} = ANY (ARRAY(SELECT outbox_id FROM next)) AND q.${blocked} IS NOT NULL
      """;

  private static final String CLAIM =
      """
      WITH ${stamp}
      due AS MATERIALIZED (
        SELECT o.outbox_id, o.lease_owner
        FROM ${rows} AS o
        WHERE o.status = 'PENDING' AND ${due} ${old_enough} ${seen}
          ${first_of_its_key}
        ORDER BY ${by_due}
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      ), taken AS MATERIALIZED (
        SELECT outbox_id, lease_owner, row_number() OVER () AS position
        FROM due
      )
      UPDATE ${table} AS q
      SET ${claimed_status}
        ${attempts} = ${claimed_counter},
        ${lease_token} = ${token} + 1,
        ${lease_owner} = ?,
        ${due_at} = ${leased_until},
        ${no_stranger}
        ${not_blocked}
        ${aside_at} = NULL
      FROM taken
      WHERE ${id} = taken.outbox_id
        AND ${id} = ANY (ARRAY(SELECT outbox_id FROM taken))
      RETURNING ${message}, ${token}, ${claimed_attempt}, taken.lease_owner, taken.position
      """;

  // Other code that works on the table may have delivered the row meanwhile; that stays.
  private static final String SETTLE =
      """
      WITH s AS MATERIALIZED (
        SELECT *
        FROM unnest(
          CAST(CAST(? AS text[]) AS uuid[]), CAST(? AS bigint[]), CAST(? AS text[]),
          CAST(? AS bigint[]), CAST(? AS int[]), CAST(? AS text[]))
          AS s(outbox_id, lease_token, status, delay, uncounted, error)
      )
      UPDATE ${table} AS q
      SET ${status} = ${settled_status},
        ${attempts} = ${settled_counter},
        ${due_at} = CASE s.status WHEN 'PENDING' THEN ${retry_at} ELSE ${raw_due_at} END,
        ${aside_at} = CASE WHEN s.delay IS NULL THEN ${aside_now} END,
        ${settled_at} = CASE s.status WHEN 'PENDING' THEN NULL ELSE ${settled_now} END,
        ${lease_owner} = NULL,
        ${last_error} = COALESCE(${error}, ${raw_last_error})
      FROM s
      WHERE ${id} = s.outbox_id AND ${token} = s.lease_token AND ${raw_lease_owner} IS NOT NULL
        AND (${alive} OR s.status = 'DISPATCHED' AND ${dead})
      RETURNING s.outbox_id, s.lease_token
      """;

  private static final String EXTEND =
      """
      WITH s AS MATERIALIZED (
        SELECT *
        FROM unnest(CAST(CAST(? AS text[]) AS uuid[]), CAST(? AS bigint[]))
          AS s(outbox_id, lease_token)
      )
      UPDATE ${table} AS q
      SET ${due_at} = ${leased_until}
      FROM s
      WHERE ${id} = s.outbox_id AND ${token} = s.lease_token AND ${raw_lease_owner} IS NOT NULL
        AND ${alive}
      RETURNING s.outbox_id
      """;

  private static final String BURY =
      """
      UPDATE ${table} AS q
      SET ${status} = ${dead_word}, ${settled_at} = ${settled_now}, ${lease_owner} = NULL,
        ${last_error} = ${buried_error}
      WHERE ${id} = ? AND ${token} = ? AND ${raw_lease_owner} IS NOT NULL AND ${alive}
      """;

  private static final String PURGE =
      """
      WITH old AS MATERIALIZED (
        SELECT o.outbox_id
        FROM ${rows} AS o
        WHERE o.status = 'DISPATCHED'
          AND COALESCE(o.settled_at, o.created_at) <= ${now} - ? * INTERVAL '1 microsecond'
        ORDER BY COALESCE(o.settled_at, o.created_at)
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ${table} AS q
      WHERE ${id} = ANY (ARRAY(SELECT outbox_id FROM old))
      """;

  private static final String OPEN =
      """
      WITH longest AS MATERIALIZED (
        SELECT o.outbox_id
        FROM ${rows} AS o
        WHERE o.aside_at IS NOT NULL AND o.destination COLLATE "C" = ?
        ORDER BY o.aside_at
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      )
      UPDATE ${table} AS q
      SET ${due_at} = ${due_now}, ${aside_at} = NULL
      WHERE ${id} = ANY (ARRAY(SELECT outbox_id FROM longest))
      """;

  private static final String AGAIN =
      """
      ${status} = ${pending_word}, ${attempts} = 0, ${due_at} = ${due_now}, ${settled_at} = NULL,
        ${lease_owner} = NULL""";

  private static final String REPLAY =
      """
      UPDATE ${table} AS q
      SET %s
      WHERE ${id} = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND ${dead}
      """
          .formatted(AGAIN);

  private static final String DISCARD =
      """
      DELETE FROM ${table} AS q
      WHERE ${id} = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND ${dead}
      """;

  private static final String REPLACE =
      """
      UPDATE ${table} AS q
      SET ${assigned}, %s, ${last_error} = NULL
      FROM (VALUES (${typed})) AS m(${bound})
      WHERE ${id} = ? AND ${dead}
      """
          .formatted(AGAIN);

  private static final String APPEND_ONE =
      """
      INSERT INTO ${table} AS q (${columns}, ${status}, ${attempts}, ${created_at}, ${due_at})
      SELECT ${values}, ${pending_word}, 0, ${created_now}, ${first_due}
      FROM (VALUES (${typed})) AS m(${bound}), (VALUES (CAST(? AS timestamptz))) AS d(not_before)
      ON CONFLICT ${id_conflict} DO NOTHING
      """;

  private static final String APPEND_MANY =
      """
      INSERT INTO ${table} AS q (${columns}, ${status}, ${attempts}, ${created_at}, ${due_at})
      SELECT ${values}, ${pending_word}, 0, ${created_in_turn}, ${first_due}
      FROM unnest(${arrays}) WITH ORDINALITY AS m(${bound}, place)
      CROSS JOIN LATERAL (SELECT m.not_before) AS d(not_before)
      ORDER BY m.place
      ON CONFLICT ${id_conflict} DO NOTHING
      RETURNING ${id}
      """;

  private static final String KEY_HOLDERS =
      """
      SELECT ${raw_deduplication_key}, ${id}
      FROM ${table} AS q
      WHERE ${raw_deduplication_key} = ANY (CAST(? AS text[]))
      """;

  private static final String FORGET =
      """
      DELETE FROM ${table} AS q
      WHERE ${id} = ANY (CAST(CAST(? AS text[]) AS uuid[]))
      """;

  private final AdoptedColumns columns;
  private final PostgresOptions options;
  private final Map<String, String> parts = new LinkedHashMap<>();

  public AdoptedSql(AdoptedColumns columns, PostgresOptions options) {
    this.columns = columns;
    this.options = options;
    Layout layout = columns.layout();
    Statuses statuses = layout.statuses();
    String now = options.clock();
    parts.put("stamp", columns.unseenStranger().isPresent() ? STAMP.strip() : "");
    parts.put("first_of_its_key", layout.ordered() ? FIRST_OF_ITS_KEY : "");
    parts.put("earlier", EARLIER);
    parts.put("not_blocked", layout.ordered() ? "${blocked} = NULL," : "");
    parts.put("blocked", AdoptedColumns.BLOCKED);
    parts.put("unseen_stranger", columns.unseenStranger().orElse(""));
    parts.put(
        "no_stranger", columns.unseenStranger().map(any -> "${stranger_until} = NULL,").orElse(""));
    parts.put("seen", columns.stranger().isPresent() ? "AND o.unseen IS NOT TRUE" : "");
    parts.put("stranger_xid", AdoptedColumns.STRANGER_XID);
    parts.put("stranger_until", TableName.quoted(AdoptedColumns.STRANGER_UNTIL));
    parts.put("strangers_after", Long.toString(SqlTimes.micros(layout.strangersAfter())));
    parts.put(
        "old_enough",
        layout.minAge().isZero()
            ? ""
            : "AND o.created_at <= ${now} - INTERVAL '%d microseconds'"
                .formatted(SqlTimes.micros(layout.minAge())));
    parts.put(
        "claimed_status",
        statuses.processing().map(word -> "${status} = %s,".formatted(word(word))).orElse(""));
    boolean atClaim = layout.counting() == Counting.AT_CLAIM;
    parts.put(
        "claimed_counter",
        atClaim
            ? "${counter} + 1"
            : "${counter} + CASE WHEN taken.lease_owner IS NULL THEN 0 ELSE 1 END");
    parts.put("claimed_attempt", atClaim ? "${counter}" : "${counter} + 1");
    parts.put(
        "settled_counter",
        atClaim
            ? "GREATEST(${counter} - s.uncounted, 0)"
            : "${counter} + CASE s.status WHEN 'DISPATCHED' THEN 0 ELSE 1 - s.uncounted END");
    parts.put(
        "settled_status",
        columns.word(
            "CASE s.status WHEN 'DISPATCHED' THEN %s WHEN 'FAILED' THEN %s ELSE %s END"
                .formatted(
                    TableName.literal(statuses.delivered()),
                    TableName.literal(statuses.dead()),
                    statuses
                        .waiting()
                        .map(
                            waiting ->
                                "CASE WHEN s.error IS NULL THEN %s ELSE %s END"
                                    .formatted(
                                        TableName.literal(statuses.pending()),
                                        TableName.literal(waiting)))
                        .orElse(TableName.literal(statuses.pending())))));
    parts.put("pending_word", word(statuses.pending()));
    parts.put("dead_word", word(statuses.dead()));
    parts.put("alive", columns.status() + " || '' = 'PENDING'");
    parts.put("dead", columns.status() + " || '' = 'FAILED'");
    parts.put(
        "leased_until", columns.stored(Field.DUE_AT, "(${now} + ? * INTERVAL '1 microsecond')"));
    parts.put(
        "retry_at",
        columns.stored(
            Field.DUE_AT, "COALESCE(${now} + s.delay * INTERVAL '1 microsecond', ${when_opened})"));
    parts.put("first_due", columns.stored(Field.DUE_AT, "GREATEST(${now}, d.not_before)"));
    parts.put(
        "looked_at_again",
        columns.stored(
            Field.DUE_AT,
            "(${now} + LEAST(INTERVAL '30 s' * (2 ^ LEAST(COALESCE(q.%s, 0), 10)), INTERVAL '1 h'))"
                .formatted(AdoptedColumns.BLOCKED)));
    parts.put("due_now", columns.stored(Field.DUE_AT, now));
    parts.put("aside_now", columns.stored(Field.ASIDE_AT, now));
    parts.put("settled_now", columns.stored(Field.SETTLED_AT, now));
    parts.put("created_now", columns.stored(Field.CREATED_AT, now));
    parts.put(
        "created_in_turn",
        columns.stored(Field.CREATED_AT, "(${now} + (m.place - 1) * INTERVAL '1 microsecond')"));
    parts.put("error", fitting(Field.LAST_ERROR, "s.error"));
    parts.put("buried_error", fitting(Field.LAST_ERROR, "?"));
    for (Field field :
        List.of(
            Field.STATUS,
            Field.ATTEMPTS,
            Field.LEASE_TOKEN,
            Field.LEASE_OWNER,
            Field.DUE_AT,
            Field.ASIDE_AT,
            Field.SETTLED_AT,
            Field.LAST_ERROR,
            Field.CREATED_AT,
            Field.DEDUPLICATION_KEY)) {
      String name = field.name().toLowerCase(Locale.ROOT);
      parts.put(name, columns.column(field));
      parts.put("raw_" + name, columns.raw(field));
    }
    parts.put("counter", columns.counter());
    parts.put("token", columns.token());
    parts.put("id", columns.id());
    parts.put("id_conflict", columns.idConflict());
    parts.put("message", columns.message());
    parts.put("rows", columns.rows());
    parts.put("table", columns.catalog().table().quoted());
    Map<String, String> written = columns.written();
    parts.put("columns", String.join(", ", written.keySet()));
    parts.put("values", String.join(", ", written.values()));
    parts.put(
        "assigned",
        written.entrySet().stream()
            .map(each -> each.getKey() + " = " + each.getValue())
            .collect(Collectors.joining(", ")));
  }

  private String word(String word) {
    return columns.word(TableName.literal(word));
  }

  /** Returns as much of a text as the team's column takes. */
  private String fitting(Field field, String text) {
    int longest = columns.own(field).map(Column::maxLength).orElse(0);
    return longest == 0 ? text : "left(%s, %d)".formatted(text, longest);
  }

  /** Puts off due rows behind another row of their key; parameter: the limit. */
  public String block() {
    return filled(OutboxSql.ofAny(BLOCK, "o."));
  }

  /** Puts off rows of one destination; parameters: the destination twice, the limit. */
  public String blockOfStream() {
    return filled(OutboxSql.ofStream(BLOCK, "o."));
  }

  /** Makes the first row of each key due; parameters: destinations and keys. */
  public String wake() {
    return filled(WAKE);
  }

  public String claim() {
    return filled(OutboxSql.ofAny(CLAIM, "o."));
  }

  public String claimOfStream() {
    return filled(OutboxSql.ofStream(CLAIM, "o."));
  }

  public String settle() {
    return filled(SETTLE);
  }

  public String extend() {
    return filled(EXTEND);
  }

  public String bury() {
    return filled(BURY);
  }

  public String purge() {
    return filled(PURGE);
  }

  public String open() {
    return filled(OPEN);
  }

  public String replay() {
    return filled(REPLAY);
  }

  public String discard() {
    return filled(DISCARD);
  }

  public String replace() {
    return filled(REPLACE);
  }

  public String appendOne() {
    return filled(APPEND_ONE);
  }

  public String appendMany() {
    return filled(APPEND_MANY);
  }

  /** Finds the rows that have these keys, in a table that keeps keys unique. */
  public Optional<String> keyHolders() {
    return columns
        .own(Field.DEDUPLICATION_KEY)
        .filter(column -> columns.catalog().unique().contains(column.name()))
        .map(column -> filled(KEY_HOLDERS));
  }

  public String forget() {
    return filled(FORGET);
  }

  /** Returns the rows as Postroad's own statements read them. */
  public String rows() {
    return columns.rows();
  }

  /** Fills in parts; a part may contain only parts that come later. */
  private String filled(String statement) {
    String filled = statement;
    for (Map.Entry<String, String> part : parts.entrySet()) {
      filled = filled.replace("${" + part.getKey() + "}", part.getValue());
    }
    return OutboxSql.filled(MessageBinding.bound(filled), options);
  }
}
