package io.postroad.drain;

import io.postroad.admin.BulkProgress;
import io.postroad.message.PostroadException;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.postgres.internal.append.StoredIds;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves undelivered rows from the table of another outbox into Postroad's outbox, so that a service
 * can change over in one deploy.
 *
 * <pre>{@code
 * PostgresDrain drain =
 *     PostgresDrain.into(store, DrainSource.springModulith(), DrainMapping.rules()
 *         .type("com.shop.OrderPlaced", "orders"));
 * DrainPreview preview = drain.preview();
 * DrainReport report = drain.run(BulkProgress.SILENT);
 * }</pre>
 *
 * <p>Rows go in the order in which they were created. Each becomes a message in the same
 * transaction that marks it in its table, so a crash at any point leaves every event in exactly one
 * of the two; run it again and it does the rest. A row that was moved before and came back, because
 * an old node wrote it once more, is recognised by its id for as long as the outbox keeps the
 * message.
 *
 * <p>Safe to use from many threads and on several nodes at once, which take turns. Safe beside the
 * old application, too: a run waits for rows that the application is changing, and a later run
 * takes the rows that it inserts later.
 */
public final class PostgresDrain {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresDrain.class);
  private static final int RUNS = 3;

  private final OutboxStore<Connection> store;
  private final DrainSource source;
  private final DrainMapping mapping;
  private final DrainOptions options;

  private PostgresDrain(
      OutboxStore<Connection> store,
      DrainSource source,
      DrainMapping mapping,
      DrainOptions options) {
    this.store = store;
    this.source = source;
    this.mapping = mapping;
    this.options = options;
  }

  /**
   * Creates a drain with the default options.
   *
   * @param store receives the messages; the other table is in its database, and its role may read
   *     and update that table (and delete from it, for {@code MovedRows.DELETE})
   * @param mapping makes a message of each row
   */
  public static PostgresDrain into(
      OutboxStore<Connection> store, DrainSource source, DrainMapping mapping) {
    return new PostgresDrain(store, source, mapping, DrainOptions.defaults());
  }

  public PostgresDrain withOptions(DrainOptions newOptions) {
    return new PostgresDrain(store, source, mapping, newOptions);
  }

  /**
   * Counts the rows of the table and what {@link #run} would do with them, mapping included.
   * Changes nothing and locks nothing.
   *
   * @throws PostroadException when the table is not there or not what the source says
   */
  public DrainPreview preview() {
    DrainTable table = table();
    DrainSql sql = new DrainSql(table, options);
    DrainReader reader = reader();
    StoredIds storedIds = StoredIds.of(store);
    DrainStep counting =
        (connection, ids) -> {
          DrainTally tally = new DrainTally();
          List<UUID> read =
              reader.read(connection, sql.read, ids, tally).stream()
                  .map(each -> each.message().id())
                  .toList();
          Set<UUID> stored = storedIds.among(connection, read);
          stored.forEach(id -> tally.alreadyThere());
          tally.moved(read.size() - stored.size());
          return tally;
        };
    List<DrainPreview.Count> counts = counts(sql);
    return new DrainPreview(counts, pass(sql, counting, BulkProgress.SILENT).report(counts));
  }

  /**
   * Reads the table once and moves its undelivered rows. Commits after each batch.
   *
   * @param progress receives the number of marked rows after each batch
   * @throws PostroadException when the table is not there or not what the source says, or the
   *     database failed; committed batches stay, and running again does the rest
   */
  public DrainReport run(BulkProgress progress) {
    DrainTable table = table();
    DrainSql sql = new DrainSql(table, options);
    Outbox<Connection> outbox = Outbox.over(store, options.outbox(), OutboxObserver.none());
    DrainBatch batch = new DrainBatch(table, sql, reader(), StoredIds.of(store), outbox);
    DrainReport report = pass(sql, batch, progress).report(counts(sql));
    LOG.info(
        "{}: drained {}: moved={} alreadyThere={} notForPostroad={} unmappable={} failed={}"
            + " young={} unknown={}",
        store.name(),
        table.name(),
        report.moved(),
        report.alreadyThere(),
        report.notForPostroad(),
        report.unmappable(),
        report.failed(),
        report.young(),
        report.unknown());
    return report;
  }

  /** Leaves out due times for ordered stores, see {@link DrainRow.Delivery}. */
  private DrainReader reader() {
    return new DrainReader(mapping, !(store instanceof OrderedStore<Connection>));
  }

  private DrainTable table() {
    if (store.transactions().current().isPresent()) {
      throw new IllegalStateException(
          "a drain commits batch by batch, so it cannot run inside a transaction of"
              + " store.transactions(); call it outside. Nothing was changed");
    }
    return inTransaction(connection -> DrainTable.find(connection, source));
  }

  private DrainTally pass(DrainSql sql, DrainStep step, BulkProgress progress) {
    DrainTally all = new DrainTally();
    @Nullable Position after = null;
    do {
      List<Position> page = page(sql, after);
      for (int from = 0; from < page.size(); from += options.batchSize()) {
        List<String> ids =
            page.subList(from, Math.min(from + options.batchSize(), page.size())).stream()
                .map(Position::id)
                .toList();
        all.add(inTransaction(connection -> step.run(connection, ids)));
        progress.on(all.settled());
      }
      after = page.size() < sql.pageSize ? null : page.get(page.size() - 1);
    } while (after != null);
    return all;
  }

  /** Position of a row in the order of a run. */
  private record Position(String id, OffsetDateTime createdAt) {}

  private List<Position> page(DrainSql sql, @Nullable Position after) {
    return inTransaction(
        connection -> {
          List<Position> page = new ArrayList<>();
          try (PreparedStatement statement = DrainStep.prepare(connection, sql.page)) {
            statement.setString(1, after == null ? null : after.createdAt().toString());
            statement.setString(2, after == null ? null : after.id());
            statement.setInt(3, sql.pageSize);
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                page.add(new Position(row.getString(1), row.getObject(2, OffsetDateTime.class)));
              }
            }
          }
          return page;
        });
  }

  private List<DrainPreview.Count> counts(DrainSql sql) {
    return inTransaction(
        connection -> {
          List<DrainPreview.Count> counts = new ArrayList<>();
          try (PreparedStatement statement = DrainStep.prepare(connection, sql.count);
              ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              counts.add(
                  new DrainPreview.Count(
                      Optional.ofNullable(row.getString(1)),
                      DrainPreview.Fate.valueOf(row.getString(2)),
                      row.getLong(3)));
            }
          }
          return counts;
        });
  }

  /** Repeats work after a conflict; under REPEATABLE READ every wait for a row ends in one. */
  private <R> R inTransaction(Database.Work<R> work) {
    for (int run = 1; ; run++) {
      try {
        return store.transactions().<R, SQLException>call(work::run);
      } catch (SQLException failed) {
        if (run == RUNS || !SqlErrors.isConflict(failed)) {
          throw failed(failed);
        }
      } catch (PostroadException failed) {
        if (run == RUNS || !isConflict(failed)) {
          throw failed;
        }
      }
    }
  }

  private static boolean isConflict(PostroadException failed) {
    return failed.getCause() instanceof SQLException cause && SqlErrors.isConflict(cause);
  }

  private PostroadException failed(SQLException failed) {
    return SqlErrors.isDenied(failed)
        ? new PostroadException(
            "could not drain %s: the role of the outbox may not use it; GRANT SELECT, UPDATE (and"
                    .formatted(source)
                + " DELETE, for MovedRows.DELETE) on it. What was moved before stays moved",
            failed)
        : SqlErrors.failed("drain " + source, failed);
  }
}
