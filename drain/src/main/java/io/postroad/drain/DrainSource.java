package io.postroad.drain;

import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Table of another outbox that a {@link PostgresDrain} empties. Immutable.
 *
 * <p>The table is found by the connection's search path unless {@link #withSchema} names its
 * schema. Columns that the library added later may be missing; any other missing column is an error
 * before the first row is touched.
 */
public final class DrainSource {
  private final DrainColumns columns;
  private final Optional<String> schema;
  private final String table;
  private final @Nullable ZoneId zone;

  private DrainSource(
      DrainColumns columns, Optional<String> schema, String table, @Nullable ZoneId zone) {
    this.columns = columns;
    this.schema = schema;
    this.table = table;
    this.zone = zone;
  }

  /**
   * Returns the event publication registry of Spring Modulith, over JDBC or JPA: {@code
   * event_publication} as of 1.x and with the status of 2.x. It has one row for each event and
   * listener.
   */
  public static DrainSource springModulith() {
    return new DrainSource(
        DrainColumns.SPRING_MODULITH, Optional.empty(), "event_publication", null);
  }

  /** Returns the outbox of Namastack, over JDBC or JPA: {@code outbox_record} since 0.4. */
  public static DrainSource namastack() {
    return new DrainSource(DrainColumns.NAMASTACK, Optional.empty(), "outbox_record", null);
  }

  /** Returns the same table in this schema. */
  public DrainSource withSchema(String schema) {
    return new DrainSource(columns, Optional.of(schema), table, zone);
  }

  /** Returns the same with a table of this name, written as PostgreSQL keeps it. */
  public DrainSource withTable(String table) {
    return new DrainSource(columns, schema, table, zone);
  }

  /**
   * Returns the same with the zone of columns of type {@code timestamp}. There is no default,
   * because a wrong guess would move every due time. Columns with a time zone need none.
   */
  public DrainSource withZone(ZoneId zone) {
    return new DrainSource(columns, schema, table, zone);
  }

  DrainColumns columns() {
    return columns;
  }

  Optional<ZoneId> zone() {
    return Optional.ofNullable(zone);
  }

  /** Returns the name for a statement, with the schema if there is one. */
  String quoted() {
    return schema.map(name -> quoted(name) + ".").orElse("") + quoted(table);
  }

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Returns the table's name. */
  @Override
  public String toString() {
    return schema.map(name -> name + ".").orElse("") + table;
  }
}
