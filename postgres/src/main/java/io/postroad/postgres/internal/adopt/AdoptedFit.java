package io.postroad.postgres.internal.adopt;

import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.PayloadForm;
import io.postroad.postgres.internal.schema.TableCatalog;
import io.postroad.postgres.internal.schema.TableCatalog.Column;
import io.postroad.postgres.internal.schema.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks that a layout fits a table; each problem has its column and the reason. */
public final class AdoptedFit {
  private static final Set<Field> TEXTS =
      Set.of(
          Field.CATEGORY,
          Field.TYPE,
          Field.AGGREGATE_TYPE,
          Field.AGGREGATE_ID,
          Field.KEY,
          Field.DESTINATION,
          Field.TENANT,
          Field.CONTENT_TYPE,
          Field.DEDUPLICATION_KEY,
          Field.LEASE_OWNER,
          Field.LAST_ERROR);
  private static final Set<Field> NUMBERS =
      Set.of(Field.SCHEMA_VERSION, Field.ATTEMPTS, Field.LEASE_TOKEN);
  private static final Set<Field> TIMES =
      Set.of(Field.NOT_BEFORE, Field.CREATED_AT, Field.DUE_AT, Field.SETTLED_AT, Field.ASIDE_AT);

  private static final Set<Field> EMPTIED =
      Set.of(Field.NOT_BEFORE, Field.SETTLED_AT, Field.ASIDE_AT);

  // Finds rows with a word that the layout does not know.
  private static final String UNKNOWN =
      """
      SELECT DISTINCT u.status
      FROM (
        SELECT COALESCE(CAST(%s AS text), 'NULL') AS status
        FROM %s AS q
        WHERE %s IS NULL
        LIMIT 1000) AS u
      ORDER BY u.status
      """;

  // Finds checks on the status alone.
  private static final String CHECKS =
      """
      SELECT pg_get_expr(c.conbin, c.conrelid)
      FROM pg_constraint AS c
      JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
      WHERE c.contype = 'c' AND c.conrelid = CAST(%s AS regclass) AND a.attname = %s
      """;

  // Finds the sequence of the added column, if it was changed to one that does not rise steadily.
  private static final String UNSTEADY_PLACES =
      """
      SELECT pg_get_serial_sequence(%1$s, 'postroad_place')
      FROM pg_sequence AS s
      WHERE s.seqrelid = CAST(pg_get_serial_sequence(%1$s, 'postroad_place') AS regclass)
        AND (s.seqincrement < 1 OR s.seqcache > 1 OR s.seqcycle)
      """;

  // Finds the same sequence if undelivered rows have numbers that it will draw later: it was set
  // back, or the rows come from elsewhere. A role without rights to the sequence finds nothing.
  private static final String PLACES_AHEAD =
      """
      SELECT 'SELECT setval(' || quote_literal(s.name) || ', ' || m.highest || ')'
      FROM (SELECT pg_get_serial_sequence(%1$s, 'postroad_place') AS name) AS s
      CROSS JOIN (
        SELECT max(q.postroad_place) AS highest
        FROM %2$s AS q
        WHERE %3$s IS DISTINCT FROM 'DISPATCHED') AS m
      WHERE CASE WHEN has_sequence_privilege(s.name, 'SELECT')
        THEN m.highest > COALESCE(pg_sequence_last_value(CAST(s.name AS regclass)), 0) END
      """;

  private static final String LABELS = "SELECT CAST(unnest(enum_range(NULL::%s)) AS text)";

  private final AdoptedColumns columns;
  private final Layout layout;
  private final TableCatalog catalog;
  private final List<String> problems = new ArrayList<>();

  private AdoptedFit(AdoptedColumns columns) {
    this.columns = columns;
    this.layout = columns.layout();
    this.catalog = columns.catalog();
  }

  /** Returns the problems; only reads. */
  public static List<String> problems(AdoptedColumns columns, Connection connection)
      throws SQLException {
    AdoptedFit fit = new AdoptedFit(columns);
    fit.checkRules();
    for (Field field : Field.values()) {
      fit.layout.column(field).ifPresent(name -> fit.checkColumn(field, name));
    }
    if (fit.problems.isEmpty()) {
      fit.checkWords(connection);
      fit.checkLeftOut();
    }
    if (fit.problems.isEmpty()) {
      fit.checkConstraints(connection);
      fit.checkData(connection);
      fit.checkPlaces(connection);
    }
    return fit.problems;
  }

  private void add(String column, String reason) {
    problems.add("column " + column + ": " + reason);
  }

  private void checkRules() {
    if (layout.revivesFailed()) {
      problems.add("revivesFailed is for collections of MongoDB; leave it out");
    }
    layout
        .column(Field.LEASE_UNTIL)
        .ifPresent(
            name ->
                add(
                    name,
                    "the end of a lease is kept where the due time is; leave out LEASE_UNTIL"));
    layout
        .column(Field.LEASE_OWNER)
        .ifPresent(
            name ->
                add(
                    name,
                    "only Postroad may write the owner of its lease, or it could not tell its own"
                        + " claims from others; leave out LEASE_OWNER"));
  }

  private void checkColumn(Field field, String name) {
    catalog
        .column(name)
        .ifPresentOrElse(
            column -> checkType(field, column),
            () ->
                add(
                    name,
                    "the table has no such column (the layout wants the %s there)"
                        .formatted(field)));
  }

  private void checkType(Field field, Column column) {
    String type = column.type();
    if (field == Field.ID) {
      if (!column.isUuid() && !column.isText() && !column.isNumber()) {
        add(
            column.name(),
            "an id must be uuid, text or a whole number, this is %s".formatted(type));
      } else if (!catalog.unique().contains(column.name())) {
        add(column.name(), "no primary key or unique index on it alone, so ids could repeat");
      } else if (!column.notNull()) {
        add(column.name(), "a row without an id could never be taken; make it NOT NULL");
      }
    } else if (field == Field.PAYLOAD) {
      if (!column.isText() && !column.isJson() && !column.isBytes()) {
        add(
            column.name(),
            "a payload must be text, json, jsonb or bytea, this is %s".formatted(type));
      } else if (layout.payload() == PayloadForm.BASE64 && !column.isText()) {
        add(column.name(), "base64 is text, this is %s".formatted(type));
      }
    } else if (field == Field.HEADERS && !column.isText()) {
      add(column.name(), "headers must be text, this is %s; leave HEADERS out".formatted(type));
    } else if (TEXTS.contains(field) && !isTextual(column)) {
      add(column.name(), "the %s must be text, this is %s".formatted(field, type));
    } else if (NUMBERS.contains(field) && !column.isNumber()) {
      add(column.name(), "the %s must be a whole number, this is %s".formatted(field, type));
    } else if (TIMES.contains(field) && !column.isTime()) {
      add(
          column.name(),
          "the %s must be timestamp or timestamptz, this is %s".formatted(field, type));
    } else if (EMPTIED.contains(field) && column.notNull()) {
      add(column.name(), "the %s must be empty at times; drop NOT NULL".formatted(field));
    } else if (field == Field.STATUS && column.base().equals("bool")) {
      add(
          column.name(),
          "a boolean cannot say more than two of the statuses; add a column of text");
    }
  }

  private static boolean isTextual(Column column) {
    return column.isText() || column.isUuid() || column.isNumber();
  }

  /** Checks that the column of the status takes every word that Postroad writes. */
  private void checkWords(Connection connection) throws SQLException {
    Optional<Column> status = columns.own(Field.STATUS);
    if (status.isEmpty()) {
      return;
    }
    int longest = status.get().maxLength();
    for (String word : layout.statuses().all()) {
      if (longest > 0 && word.length() > longest) {
        add(status.get().name(), "'%s' is longer than %s".formatted(word, status.get().type()));
      }
    }
    if (status.get().isEnum()) {
      List<String> labels = texts(connection, LABELS.formatted(status.get().type()));
      for (String word : layout.statuses().all()) {
        if (!labels.contains(word)) {
          add(
              status.get().name(),
              "its type does not have '%s'; add it: ALTER TYPE %s ADD VALUE '%s'"
                  .formatted(word, status.get().type(), word));
        }
      }
    }
  }

  private void checkConstraints(Connection connection) throws SQLException {
    Optional<Column> status = columns.own(Field.STATUS);
    if (status.isEmpty()) {
      return;
    }
    String name = status.get().name();
    String checks =
        CHECKS.formatted(TableName.literal(catalog.table().quoted()), TableName.literal(name));
    for (String check : texts(connection, checks)) {
      for (String word : layout.statuses().all()) {
        String passes =
            "SELECT CAST(COALESCE(%s, true) AS text) FROM (SELECT CAST(%s AS %s) AS %s) AS w"
                .formatted(
                    check, TableName.literal(word), status.get().type(), TableName.quoted(name));
        if (texts(connection, passes).contains("false")) {
          add(name, "the check %s does not allow '%s'".formatted(check, word));
        }
      }
    }
  }

  /** Finds columns that an append must fill, but that the layout does not name. */
  private void checkLeftOut() {
    Set<String> known = new HashSet<>(layout.columns().values());
    for (Column column : catalog.columns().values()) {
      if (!column.mayBeLeftOut() && !known.contains(column.name())) {
        add(
            column.name(),
            "it is NOT NULL without a default and the layout has nothing for it; give it a default"
                + " or map it");
      }
    }
  }

  private void checkData(Connection connection) throws SQLException {
    if (columns.own(Field.STATUS).isEmpty()) {
      return;
    }
    String unknown =
        UNKNOWN.formatted(columns.raw(Field.STATUS), catalog.table().quoted(), columns.status());
    for (String word : texts(connection, unknown)) {
      add(
          layout.columnOrAdded(Field.STATUS),
          "rows have the status '%s', which the layout does not know; it knows %s"
              .formatted(word, layout.statuses().all()));
    }
  }

  /** Checks that later numbers are higher, on every connection. */
  private void checkPlaces(Connection connection) throws SQLException {
    Optional<Column> place = catalog.column(AdoptedColumns.PLACE);
    if (!layout.ordered() || place.isEmpty()) {
      return;
    }
    if (!place.get().base().equals("int8")) {
      add(
          place.get().name(),
          "messages are ordered by it, so it must be bigint and filled by the database, this is %s; drop it and migrate again"
              .formatted(place.get().type()));
    }
    String table = TableName.literal(catalog.table().quoted());
    for (String sequence : texts(connection, UNSTEADY_PLACES.formatted(table))) {
      add(
          place.get().name(),
          "its numbers do not rise with every insert, so they are no order; run: ALTER SEQUENCE %s INCREMENT BY 1 CACHE 1 NO MAXVALUE NO CYCLE"
              .formatted(sequence));
    }
    String ahead = PLACES_AHEAD.formatted(table, catalog.table().quoted(), columns.status());
    for (String raise : texts(connection, ahead)) {
      add(
          place.get().name(),
          "undelivered rows have higher numbers than new ones would get, which would overtake them; run: "
              + raise);
    }
  }

  private static List<String> texts(Connection connection, String question) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(question);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        texts.add(row.getString(1));
      }
    }
    return texts;
  }
}
