package io.postroad.drain;

import io.postroad.message.PostroadException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Table of another outbox as it is in the catalog.
 *
 * @param name with its schema, quoted for a statement
 * @param types the type of each column
 */
record DrainTable(String name, Map<String, String> types, DrainSource source) {
  private static final String LOCAL_TIME = "timestamp without time zone";
  private static final Set<String> TIMES = Set.of(LOCAL_TIME, "timestamp with time zone");
  private static final Set<String> PAYLOADS = Set.of("text", "character varying", "json", "jsonb");

  private static final String COLUMNS =
      """
      SELECT format('%I.%I', n.nspname, c.relname), a.attname, format_type(a.atttypid, NULL)
      FROM pg_class AS c
      JOIN pg_namespace AS n ON n.oid = c.relnamespace
      JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.oid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped
      """;

  /** Finds the table; refuses a table that lacks columns of the source. */
  static DrainTable find(Connection connection, DrainSource source) throws SQLException {
    @Nullable String name = null;
    Map<String, String> types = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
      statement.setString(1, source.quoted());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          name = row.getString(1);
          types.put(row.getString(2), row.getString(3));
        }
      }
    }
    if (name == null) {
      throw new PostroadException(
          "could not drain %s: there is no such table on the search path of the outbox's database;"
                  .formatted(source)
              + " name it with DrainSource.withSchema and withTable");
    }
    DrainTable table = new DrainTable(name, Map.copyOf(types), source);
    table.requireColumns();
    table.requireTypes();
    return table;
  }

  private void requireColumns() {
    List<String> missing =
        source.columns().required().stream().filter(column -> !has(column)).toList();
    if (!missing.isEmpty()) {
      throw new PostroadException(
          "could not drain %s: it has no column %s; this is no table of that library, or one of a"
                  .formatted(name, missing)
              + " version that is not known. Nothing was changed");
    }
  }

  private void requireTypes() {
    requireType(source.columns().content().payload(), PAYLOADS);
    for (String column : source.columns().times().all()) {
      requireType(column, TIMES);
      if (LOCAL_TIME.equals(types.get(column)) && source.zone().isEmpty()) {
        throw new PostroadException(
            "could not drain %s: column %s is a timestamp without time zone, and its zone is not"
                    .formatted(name, column)
                + " known; call DrainSource.withZone, most likely with the time zone of the old"
                + " application. Nothing was changed");
      }
    }
  }

  private void requireType(String column, Set<String> allowed) {
    @Nullable String type = types.get(column);
    if (type != null && !allowed.contains(type)) {
      throw new PostroadException(
          "could not drain %s: column %s is of type %s, expected one of %s. Nothing was changed"
              .formatted(name, column, type, allowed.stream().sorted().toList()));
    }
  }

  boolean has(@Nullable String column) {
    return column != null && types.containsKey(column);
  }

  /** Returns the type of the ids, as a statement names it. */
  String idType() {
    return types.getOrDefault(DrainColumns.ID, "text");
  }

  /** Returns a column as text, or NULL for a column that the table lacks. */
  String text(@Nullable String column) {
    return has(column) ? "CAST(t.%s AS text)".formatted(column) : "CAST(NULL AS text)";
  }

  /** Returns a column as a point in time, independent of the session's time zone, or NULL. */
  String instant(@Nullable String column) {
    if (!has(column)) {
      return "CAST(NULL AS timestamptz)";
    }
    return isLocal(column) ? "(t.%s AT TIME ZONE %s)".formatted(column, zone()) : "t." + column;
  }

  /** Returns the current time for a column of this type. */
  String nowFor(String column) {
    return isLocal(column)
        ? "(statement_timestamp() AT TIME ZONE %s)".formatted(zone())
        : "statement_timestamp()";
  }

  private boolean isLocal(@Nullable String column) {
    return column != null && LOCAL_TIME.equals(types.get(column));
  }

  /** Returns an offset as an interval: in zone names PostgreSQL reverses its sign. */
  private String zone() {
    ZoneId zone = source.zone().orElseThrow().normalized();
    return zone instanceof ZoneOffset offset
        ? "INTERVAL '%d seconds'".formatted(offset.getTotalSeconds())
        : "'%s'".formatted(zone.getId());
  }
}
