package io.postroad.postgres;

import io.postroad.layout.Adoption;
import io.postroad.layout.Layout;
import io.postroad.layout.Recogniser;
import io.postroad.layout.Recognition;
import io.postroad.layout.RowCounter;
import io.postroad.layout.TableShape;
import io.postroad.postgres.internal.adopt.AdoptedColumns;
import io.postroad.postgres.internal.adopt.AdoptedFit;
import io.postroad.postgres.internal.adopt.CatalogShape;
import io.postroad.postgres.internal.adopt.PostgresRowCounter;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.schema.TableCatalog;
import io.postroad.postgres.internal.schema.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Looks at a table that a team already has and says how Postroad would run on it. Only reads: the
 * catalog, and the rows once to count them by status.
 */
public final class PostgresAdoption {
  private PostgresAdoption() {}

  /**
   * Looks at a table.
   *
   * @param table {@code table} in schema {@code public}, or {@code schema.table}
   * @throws io.postroad.message.PostroadException when the database cannot be read
   */
  public static Adoption look(DataSource dataSource, String table) {
    return look(dataSource, table, Recogniser.ofTables());
  }

  /** Looks at a table with a recogniser that was told what is meant. */
  public static Adoption look(DataSource dataSource, String table, Recogniser recogniser) {
    return look(dataSource, table, recogniser::recognise);
  }

  /** Looks at the table of a layout that was written or changed by hand. */
  public static Adoption look(DataSource dataSource, Layout layout) {
    return look(dataSource, layout.table(), (shape, rows) -> Recogniser.check(layout, shape, rows));
  }

  private static Adoption look(DataSource dataSource, String table, Opinion opinion) {
    try (Connection connection = dataSource.getConnection()) {
      return look(connection, table, opinion);
    } catch (SQLException failed) {
      throw SqlErrors.failed("look at table " + table, failed);
    }
  }

  /** Who says what a table is. */
  @FunctionalInterface
  interface Opinion {
    Recognition of(TableShape shape, RowCounter rows);
  }

  static Adoption look(Connection connection, String table, Opinion opinion) throws SQLException {
    TableName name = TableName.of(table, PostgresOptions.defaults().schema());
    Optional<TableCatalog> catalog = TableCatalog.read(connection, name);
    TableShape shape =
        catalog.isPresent()
            ? CatalogShape.of(table, catalog.get(), connection)
            : TableShape.ofTable(table, List.of(), List.of());
    Recognition recognition = opinion.of(shape, new PostgresRowCounter(connection, name));
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
    return Adoption.of(shape, recognition, added, AdoptedSchema.missing(columns, false));
  }
}
