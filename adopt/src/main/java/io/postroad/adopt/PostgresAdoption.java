package io.postroad.adopt;

import io.postroad.adopt.internal.CatalogShape;
import io.postroad.adopt.internal.PostgresRowCounter;
import io.postroad.layout.Layout;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.adopt.AdoptedColumns;
import io.postroad.postgres.internal.adopt.AdoptedDdl;
import io.postroad.postgres.internal.adopt.AdoptedFit;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.schema.TableCatalog;
import io.postroad.postgres.internal.schema.TableName;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/**
 * Inspects a table that a team already has and reports how Postroad would run on it. Only reads:
 * the catalog, and the rows once to count them by status.
 */
public final class PostgresAdoption {
  private PostgresAdoption() {}

  /**
   * Inspects a table.
   *
   * @param table {@code table} in schema {@code public}, or {@code schema.table}
   * @throws io.postroad.message.PostroadException when the database cannot be read
   */
  public static Adoption inspect(DataSource dataSource, String table) {
    return inspect(dataSource, table, Recogniser.ofTables());
  }

  /** Inspects a table with a recogniser that was given some of the columns. */
  public static Adoption inspect(DataSource dataSource, String table, Recogniser recogniser) {
    return inspect(dataSource::getConnection, table, recogniser::recognise);
  }

  /** Inspects the table of a layout that was written or changed by hand. */
  public static Adoption inspect(DataSource dataSource, Layout layout) {
    return inspect(
        dataSource::getConnection,
        layout.table(),
        (shape, rows) -> Recogniser.check(layout, shape, rows));
  }

  /** Inspects a table over a connection of its own. */
  static Adoption at(String url, String table) {
    return inspect(() -> DriverManager.getConnection(url), table, Recogniser.ofTables()::recognise);
  }

  private interface Connecting {
    Connection open() throws SQLException;
  }

  private static Adoption inspect(
      Connecting connecting, String table, BiFunction<TableShape, RowCounter, Recognition> how) {
    try (Connection connection = connecting.open()) {
      return inspect(connection, table, how);
    } catch (SQLException failed) {
      throw SqlErrors.failed("inspect table " + table, failed);
    }
  }

  private static Adoption inspect(
      Connection connection, String table, BiFunction<TableShape, RowCounter, Recognition> how)
      throws SQLException {
    TableName name = TableName.of(table, PostgresOptions.defaults().schema());
    Optional<TableCatalog> catalog = TableCatalog.read(connection, name);
    TableShape shape =
        catalog.isPresent()
            ? CatalogShape.of(table, catalog.get(), connection)
            : TableShape.ofTable(table, List.of(), List.of());
    Recognition recognition = how.apply(shape, new PostgresRowCounter(connection, name));
    Adoption found = Adoption.of(shape, recognition, List.of(), List.of());
    Optional<Layout> layout = recognition.found();
    if (catalog.isEmpty() || layout.isEmpty()) {
      return found;
    }
    AdoptedColumns columns = new AdoptedColumns(layout.get(), catalog.get());
    List<String> problems = AdoptedFit.problems(columns, connection);
    if (!problems.isEmpty()) {
      return found.withProblems(problems);
    }
    List<String> added = new ArrayList<>(columns.added().keySet());
    added.removeAll(catalog.get().columns().keySet());
    return Adoption.of(shape, recognition, added, AdoptedDdl.missing(columns, false));
  }
}
