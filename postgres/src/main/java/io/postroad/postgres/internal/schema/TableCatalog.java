package io.postroad.postgres.internal.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The description of a table in the catalog of PostgreSQL: its columns, which of them alone are
 * unique (the primary key first), and the names of its valid indexes.
 */
public record TableCatalog(
    TableName table, Map<String, Column> columns, Set<String> unique, Set<String> indexes) {
  private static final String COLUMNS =
      """
      SELECT a.attname, format_type(a.atttypid, a.atttypmod), t.typname, t.typtype, a.attnotnull,
        a.atthasdef OR a.attidentity <> '' OR a.attgenerated <> '', a.attidentity <> '',
        CASE WHEN t.typname IN ('varchar', 'bpchar') AND a.atttypmod > 4
          THEN a.atttypmod - 4 ELSE 0 END
      FROM pg_attribute AS a
      JOIN pg_type AS t ON t.oid = a.atttypid
      WHERE a.attrelid = CAST(? AS regclass) AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum
      """;

  private static final String INDEXES =
      """
      SELECT c.relname,
        CASE WHEN i.indisunique AND i.indnkeyatts = 1 AND i.indpred IS NULL THEN a.attname END
      FROM pg_index AS i
      JOIN pg_class AS c ON c.oid = i.indexrelid
      LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
      WHERE i.indrelid = CAST(? AS regclass) AND i.indisvalid
      ORDER BY i.indisprimary DESC, c.relname
      """;

  // Not a view, and not a partitioned table: those have no unique index on an id alone.
  private static final String EXISTS =
      """
      SELECT c.relkind
      FROM pg_class AS c
      WHERE c.oid = to_regclass(?)
      """;

  /**
   * A column.
   *
   * @param type as a cast names it
   * @param base its type without a length
   * @param isIdentity whether an insert that leaves it out draws a number for it
   * @param maxLength 0 for none
   */
  public record Column(
      String name,
      String type,
      String base,
      boolean isEnum,
      boolean notNull,
      boolean hasDefault,
      boolean isIdentity,
      int maxLength) {
    /** Whether an insert may leave it out. */
    public boolean mayBeLeftOut() {
      return !notNull || hasDefault;
    }

    public boolean isText() {
      return base.equals("text") || base.equals("varchar") || base.equals("bpchar");
    }

    public boolean isNumber() {
      return base.equals("int2") || base.equals("int4") || base.equals("int8");
    }

    public boolean isUuid() {
      return base.equals("uuid");
    }

    public boolean isJson() {
      return base.equals("jsonb") || base.equals("json");
    }

    public boolean isBytes() {
      return base.equals("bytea");
    }

    public boolean hasZone() {
      return base.equals("timestamptz");
    }

    public boolean isTime() {
      return base.equals("timestamp") || hasZone();
    }
  }

  /** Reads the catalog; empty when there is no such table. */
  public static Optional<TableCatalog> read(Connection connection, TableName table)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(EXISTS)) {
      statement.setString(1, table.quoted());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next() || !row.getString(1).equals("r")) {
          return Optional.empty();
        }
      }
    }
    Map<String, Column> columns = new LinkedHashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
      statement.setString(1, table.quoted());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          columns.put(row.getString(1), column(row));
        }
      }
    }
    Set<String> unique = new LinkedHashSet<>();
    Set<String> indexes = new LinkedHashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(INDEXES)) {
      statement.setString(1, table.quoted());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          indexes.add(row.getString(1));
          Optional.ofNullable(row.getString(2)).ifPresent(unique::add);
        }
      }
    }
    return Optional.of(new TableCatalog(table, columns, unique, indexes));
  }

  private static Column column(ResultSet row) throws SQLException {
    return new Column(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4).equals("e"),
        row.getBoolean(5),
        row.getBoolean(6),
        row.getBoolean(7),
        row.getInt(8));
  }

  public Optional<Column> column(String name) {
    return Optional.ofNullable(columns.get(name));
  }
}
