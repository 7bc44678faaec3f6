package io.postroad.adopt.internal;

import io.postroad.adopt.ColumnKind;
import io.postroad.adopt.ColumnShape;
import io.postroad.adopt.TableShape;
import io.postroad.postgres.internal.schema.TableCatalog;
import io.postroad.postgres.internal.schema.TableCatalog.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the shape of a table from the catalog of PostgreSQL. */
public final class CatalogShape {
  private static final String DEFAULTS =
      """
      SELECT a.attname, pg_get_expr(d.adbin, d.adrelid)
      FROM pg_attrdef AS d
      JOIN pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
      WHERE d.adrelid = CAST(? AS regclass)
      """;

  // A check of one column against a list of texts, and the labels of an enum.
  private static final String ALLOWED =
      """
      SELECT a.attname, pg_get_constraintdef(c.oid)
      FROM pg_constraint AS c
      JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
      WHERE c.conrelid = CAST(? AS regclass) AND c.contype = 'c'
      UNION ALL
      SELECT a.attname, 'enum = ANY ' || string_agg(quote_literal(e.enumlabel) || '::', ' ' ORDER BY e.enumsortorder)
      FROM pg_attribute AS a
      JOIN pg_enum AS e ON e.enumtypid = a.atttypid
      WHERE a.attrelid = CAST(? AS regclass) AND NOT a.attisdropped
      GROUP BY a.attname
      """;

  private static final Pattern LISTED = Pattern.compile("'((?:[^']|'')*)'::");

  /** Matches a constant as PostgreSQL prints it: {@code 'NEW'::character varying}. */
  private static final Pattern CONSTANT = Pattern.compile("'((?:[^']|'')*)'::[\\w\\s.\"]+");

  private CatalogShape() {}

  /**
   * Returns the shape; also reads default values and allowed words.
   *
   * @param table the name, as the user spells it
   */
  public static TableShape of(String table, TableCatalog catalog, Connection connection)
      throws SQLException {
    Map<String, String> constants = constants(catalog, connection);
    Map<String, List<String>> allowed = allowed(catalog, connection);
    List<ColumnShape> columns =
        catalog.columns().values().stream()
            .map(
                column ->
                    shape(column, Optional.ofNullable(constants.get(column.name())))
                        .withAllowed(allowed.getOrDefault(column.name(), List.of())))
            .toList();
    return TableShape.ofTable(table, columns, List.of())
        .withKeys(catalog.unique().stream().map(List::of).toList());
  }

  private static ColumnShape shape(Column column, Optional<String> constant) {
    return new ColumnShape(
        column.name(),
        kind(column),
        !column.notNull(),
        column.hasDefault(),
        constant,
        column.maxLength() > 0 ? OptionalInt.of(column.maxLength()) : OptionalInt.empty(),
        List.of());
  }

  private static ColumnKind kind(Column column) {
    if (column.isText()) {
      return ColumnKind.TEXT;
    }
    if (column.isEnum()) {
      return ColumnKind.ENUM;
    }
    if (column.isTime()) {
      return column.hasZone() ? ColumnKind.TIME_WITH_ZONE : ColumnKind.TIME_WITHOUT_ZONE;
    }
    if (column.isNumber()) {
      return ColumnKind.NUMBER;
    }
    if (column.isUuid()) {
      return ColumnKind.UUID;
    }
    if (column.isJson()) {
      return ColumnKind.JSON;
    }
    if (column.isBytes()) {
      return ColumnKind.BYTES;
    }
    return column.base().equals("bool") ? ColumnKind.BOOLEAN : ColumnKind.OTHER;
  }

  private static Map<String, String> constants(TableCatalog catalog, Connection connection)
      throws SQLException {
    Map<String, String> constants = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(DEFAULTS)) {
      statement.setString(1, catalog.table().quoted());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          Matcher constant = CONSTANT.matcher(row.getString(2));
          if (constant.matches()) {
            constants.put(row.getString(1), constant.group(1).replace("''", "'"));
          }
        }
      }
    }
    return constants;
  }

  private static Map<String, List<String>> allowed(TableCatalog catalog, Connection connection)
      throws SQLException {
    Map<String, List<String>> allowed = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(ALLOWED)) {
      statement.setString(1, catalog.table().quoted());
      statement.setString(2, catalog.table().quoted());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          if (row.getString(2).contains("= ANY")) {
            allowed.put(row.getString(1), listed(row.getString(2)));
          }
        }
      }
    }
    return allowed;
  }

  private static List<String> listed(String definition) {
    return LISTED
        .matcher(definition)
        .results()
        .map(each -> each.group(1).replace("''", "'"))
        .toList();
  }
}
