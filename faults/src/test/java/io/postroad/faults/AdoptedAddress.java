package io.postroad.faults;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.schema.SchemaMode;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * A database with an outbox table that a team made.
 *
 * @param ordered whether messages of a key go one after the other
 */
record AdoptedAddress(String jdbcUrl, boolean ordered) implements DatabaseAddress {
  private static final String COMPETING = "adopted:";
  private static final String ORDERED = "adopted-in-order:";

  static boolean isOne(String text) {
    return text.startsWith("adopted");
  }

  static AdoptedAddress parse(String text) {
    boolean ordered = text.startsWith(ORDERED);
    return new AdoptedAddress(text.substring((ordered ? ORDERED : COMPETING).length()), ordered);
  }

  @Override
  public String text() {
    return (ordered ? ORDERED : COMPETING) + jdbcUrl;
  }

  @Override
  public OpenOutbox<Connection> open(StoreKind kind, String application, StopPoints points) {
    HikariDataSource pool = Pools.open(jdbcUrl, application);
    return open(points.watching(pool), pool, SchemaMode.VERIFY);
  }

  /** Adopts the table. */
  OpenOutbox<Connection> create() {
    HikariDataSource pool = Pools.open(jdbcUrl, "scene");
    return open(pool, pool, SchemaMode.MIGRATE);
  }

  private OpenOutbox<Connection> open(
      DataSource dataSource, AutoCloseable connections, SchemaMode mode) {
    Layout layout = Layouts.paymentOutbox().withOrdered(ordered);
    PostgresOptions options =
        PostgresOptions.defaults().withPrefix("postroad_").withSchemaMode(mode);
    return new OpenOutbox<>(PostgresCompetingStore.open(dataSource, options, layout), connections);
  }
}
