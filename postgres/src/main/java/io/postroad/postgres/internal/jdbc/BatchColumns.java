package io.postroad.postgres.internal.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Binds a batch column by column, each as one array, to the parameters of a statement from the
 * first on. The array types used are built into the driver; others cost a look into the catalog.
 */
public final class BatchColumns<T> {
  private final PreparedStatement statement;
  private final List<T> rows;
  private int parameter;

  public BatchColumns(PreparedStatement statement, List<T> rows) {
    this(statement, rows, 0);
  }

  /**
   * @param bound how many parameters are bound already
   */
  BatchColumns(PreparedStatement statement, List<T> rows, int bound) {
    this.statement = statement;
    this.rows = rows;
    this.parameter = bound;
  }

  /** The column as text; anything that is not null by its {@code toString()}. */
  public BatchColumns<T> texts(Function<T, @Nullable Object> column) throws SQLException {
    @Nullable String[] values = new String[rows.size()];
    for (int i = 0; i < values.length; i++) {
      @Nullable Object value = column.apply(rows.get(i));
      values[i] = value == null ? null : value.toString();
    }
    return bind("text", values);
  }

  public BatchColumns<T> bytes(Function<T, byte @Nullable []> column) throws SQLException {
    byte[][] values = new byte[rows.size()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return bind("bytea", values);
  }

  public BatchColumns<T> longs(Function<T, @Nullable Long> column) throws SQLException {
    @Nullable Long[] values = new Long[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return bind("int8", values);
  }

  public BatchColumns<T> ints(ToIntFunction<T> column) throws SQLException {
    return bind("int4", rows.stream().mapToInt(column).boxed().toArray());
  }

  private BatchColumns<T> bind(String type, @Nullable Object[] values) throws SQLException {
    parameter++;
    statement.setArray(parameter, statement.getConnection().createArrayOf(type, values));
    return this;
  }
}
