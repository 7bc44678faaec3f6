package io.postroad.postgres.internal.schema;

/** A table of the user's, as {@code table} or {@code schema.table}. */
public record TableName(String schema, String name) {

  /**
   * Reads a name.
   *
   * @param schema where a table without a schema is
   */
  public static TableName of(String table, String schema) {
    int dot = table.indexOf('.');
    return dot < 0
        ? new TableName(schema, table)
        : new TableName(table.substring(0, dot), table.substring(dot + 1));
  }

  /** With quotes, for a statement. */
  public String quoted() {
    return quoted(schema) + "." + quoted(name);
  }

  public static String quoted(String identifier) {
    return "\"" + identifier.replace("\"", "\"\"") + "\"";
  }

  public static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  @Override
  public String toString() {
    return schema + "." + name;
  }
}
