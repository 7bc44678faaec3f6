package io.postroad.faults;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** By triggers, which know the application's name. */
final class SqlWatch implements ChangeWatch {
  private static final String WATCH =
      """
      CREATE TABLE change (
        id bigserial PRIMARY KEY, application text, changed text, how text, what text);
      CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO change (application, changed, how, what)
          VALUES (current_setting('application_name'), TG_TABLE_NAME, TG_OP,
            COALESCE(NEW, OLD)::text);
          RETURN NULL;
        END $$;
      DO $$
        DECLARE t text;
        BEGIN
          FOR t IN
            SELECT relname FROM pg_class
            WHERE relname LIKE 'outbox\\_%' AND relkind = 'r' AND relname <> 'outbox_node'
          LOOP
            EXECUTE format('CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON %I
              FOR EACH ROW WHEN (current_setting(''application_name'') LIKE ''relay-%%'')
              EXECUTE FUNCTION note_change()', t);
          END LOOP;
        END $$;
      """;

  private final Sql sql;
  private long seen;

  private SqlWatch(Sql sql) {
    this.sql = sql;
  }

  static SqlWatch start(Sql sql) throws SQLException {
    sql.execute(WATCH);
    return new SqlWatch(sql);
  }

  @Override
  public List<String> changesBy(String relay) throws SQLException {
    return sql
        .rows(
            "SELECT * FROM change WHERE application = '%s' AND id > %d ORDER BY id"
                .formatted(relay, seen))
        .stream()
        .map(Map::toString)
        .toList();
  }

  @Override
  public void forget() throws SQLException {
    seen = sql.number("SELECT max(id) FROM change");
  }
}
