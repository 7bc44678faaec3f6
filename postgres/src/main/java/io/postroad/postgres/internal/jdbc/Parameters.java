package io.postroad.postgres.internal.jdbc;

import io.postroad.postgres.internal.log.LogSql;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.spi.LaneLease;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Binds the parameters of a statement one after the other. */
public final class Parameters {
  private final PreparedStatement statement;
  private int index;

  public Parameters(PreparedStatement statement) {
    this.statement = statement;
  }

  public Parameters add(int value) throws SQLException {
    statement.setInt(next(), value);
    return this;
  }

  public Parameters add(long value) throws SQLException {
    statement.setLong(next(), value);
    return this;
  }

  public Parameters add(@Nullable String value) throws SQLException {
    statement.setString(next(), value);
    return this;
  }

  public Parameters add(@Nullable Long value) throws SQLException {
    statement.setObject(next(), value, Types.BIGINT);
    return this;
  }

  public Parameters add(UUID value) throws SQLException {
    statement.setObject(next(), value);
    return this;
  }

  public Parameters add(boolean value) throws SQLException {
    statement.setBoolean(next(), value);
    return this;
  }

  public Parameters add(@Nullable OffsetDateTime value) throws SQLException {
    statement.setObject(next(), value, Types.TIMESTAMP_WITH_TIMEZONE);
    return this;
  }

  /** The two parameters of {@link LogSql#FENCE}. */
  public Parameters fence(LaneLease lease) throws SQLException {
    return add(lease.lane()).add(lease.epoch());
  }

  /** The two parameters of {@link OutboxSql#ofStream}, if there is one. */
  public Parameters stream(Optional<String> destination) throws SQLException {
    return destination.isPresent() ? add(destination.get()).add(destination.get()) : this;
  }

  /** Leaves out parameters that {@link #columns} has bound. */
  public Parameters skip(int columns) {
    index += columns;
    return this;
  }

  /** Transaction numbers, which travel as text: the driver does not know their type. */
  public Parameters addXids(LongStream xids) throws SQLException {
    String[] texts = xids.mapToObj(Long::toString).toArray(String[]::new);
    statement.setArray(next(), statement.getConnection().createArrayOf("text", texts));
    return this;
  }

  public Parameters addTexts(Collection<String> texts) throws SQLException {
    Object[] values = texts.toArray(new String[0]);
    statement.setArray(next(), statement.getConnection().createArrayOf("text", values));
    return this;
  }

  /** Binds one column of texts: ids, names. */
  public Parameters addEach(Collection<?> values) throws SQLException {
    columns(List.copyOf(values)).texts(value -> value);
    return skip(1);
  }

  /** Binds the columns that come after the parameters bound so far. */
  public <T> BatchColumns<T> columns(List<T> rows) {
    return new BatchColumns<>(statement, rows, index);
  }

  private int next() {
    index++;
    return index;
  }
}
