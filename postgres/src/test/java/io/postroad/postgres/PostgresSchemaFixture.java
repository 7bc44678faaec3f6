package io.postroad.postgres;

import io.postroad.schema.StoreSchema;
import io.postroad.tck.SchemaFixture;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A database without a schema of ours, for the migration contract. */
public final class PostgresSchemaFixture implements SchemaFixture {
  private static final String RELATIONS =
      """
      SELECT relname, relkind, relacl, reloptions, attname, format_type(atttypid, atttypmod),
        attnotnull, CASE relkind
          WHEN 'i' THEN pg_get_indexdef(c.oid)
          WHEN 'v' THEN pg_get_viewdef(c.oid) END
      FROM pg_class c
      LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped
      WHERE relnamespace = 'public'::regnamespace
      ORDER BY 1, attnum
      """;
  private static final String CONSTRAINTS =
      """
      SELECT conname, pg_get_constraintdef(oid)
      FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
      ORDER BY 1
      """;
  private static final String HISTORY = "SELECT * FROM postroad_schema_history ORDER BY 1";

  private final TestDatabase database;

  public PostgresSchemaFixture(TestDatabase database) {
    this.database = database;
  }

  @Override
  public StoreSchema schema() {
    return new PostgresSchema(database.pool(), database.options());
  }

  @Override
  public void pretendInstalled(int version) throws SQLException {
    database.update("DELETE FROM postroad_schema_history WHERE version > ?", version);
    if (schema().installedVersion() < version) {
      database.update(
          "INSERT INTO postroad_schema_history (version, file, checksum) VALUES (?, 'later', 'x')",
          version);
    }
  }

  @Override
  public void changeAppliedStep() throws SQLException {
    database.execute(
        "UPDATE postroad_schema_history SET checksum = 'changed'"
            + " WHERE version = (SELECT max(version) FROM postroad_schema_history)");
  }

  @Override
  public String removeOne() throws SQLException {
    database.execute("DROP INDEX outbox_queue_due_idx");
    return "outbox_queue_due_idx";
  }

  @Override
  public void runScript(String script) throws SQLException {
    database.execute(script);
  }

  @Override
  public String snapshot() throws SQLException {
    boolean history =
        !database.value("SELECT to_regclass('postroad_schema_history')::text").equals("null");
    return Stream.of(
            database.rows(RELATIONS).stream(),
            database.rows(CONSTRAINTS).stream(),
            history ? database.rows(HISTORY).stream() : Stream.<String>empty())
        .flatMap(rows -> rows)
        .collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    database.close();
  }
}
