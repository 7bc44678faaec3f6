package io.postroad.postgres.internal.admin;

import io.postroad.message.Message;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.adopt.AdoptedSql;
import io.postroad.postgres.internal.append.MessageBinding;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.queue.KeyOrder;
import io.postroad.postgres.internal.queue.OutboxSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Dead letters of the competing store: rows of the queue. */
public final class QueueDeadLetters implements DeadLetterTable {
  // A claim raises the token and a settle needs an owner, so a claim from before fits no more.
  private static final String REPLAY =
      """
      UPDATE ${queue} AS q
      SET status = 'PENDING', attempt = 0, available_at = ${now}, settled_at = NULL,
        lease_owner = NULL
      WHERE q.outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND ${dead}
      """;

  private static final String DISCARD =
      """
      DELETE FROM ${queue} AS q
      WHERE q.outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND ${dead}
      """;

  private static final String REPLACE =
      """
      UPDATE ${queue} AS q
      SET (${bound}) = (${parameters}), status = 'PENDING', attempt = 0, available_at = ${now},
        settled_at = NULL, lease_owner = NULL, last_error = NULL
      WHERE q.outbox_id = ? AND ${dead}
      """;

  private final Database database;
  private final Inspector inspector;
  private final Statements statements;
  private final Optional<KeyOrder> order;

  public QueueDeadLetters(
      Database database, Inspector inspector, Statements statements, Optional<KeyOrder> order) {
    this.database = database;
    this.inspector = inspector;
    this.statements = statements;
    this.order = order;
  }

  /** The statements that change dead letters. */
  public record Statements(DeadLetterSql read, String replay, String discard, String replace) {
    public static Statements ofQueue(PostgresOptions options) {
      return new Statements(
          DeadLetterSql.ofQueue(options),
          filled(REPLAY, options),
          filled(DISCARD, options),
          filled(MessageBinding.bound(REPLACE), options));
    }

    public static Statements ofAdopted(AdoptedSql adopted, PostgresOptions options) {
      return new Statements(
          DeadLetterSql.ofAdopted(adopted, options),
          adopted.replay(),
          adopted.discard(),
          adopted.replace());
    }

    private static String filled(String statement, PostgresOptions options) {
      return OutboxSql.filled(statement.replace("${dead}", DeadLetterSql.DEAD), options);
    }
  }

  @Override
  public List<StoredLetter> lock(Connection transaction, List<UUID> ids) throws SQLException {
    return database.rows(
        transaction,
        statements.read.lock,
        parameters -> parameters.addEach(ids),
        StoredLetter::read);
  }

  @Override
  public void replay(Connection transaction, List<StoredLetter> letters) throws SQLException {
    update(transaction, statements.replay(), letters);
  }

  @Override
  public void discard(Connection transaction, List<StoredLetter> letters) throws SQLException {
    update(transaction, statements.discard(), letters);
    if (order.isPresent()) {
      order.get().wakeAfter(transaction, letters.stream().map(each -> each.letter().message()));
    }
  }

  private void update(Connection transaction, String text, List<StoredLetter> letters)
      throws SQLException {
    int unused =
        database.execute(
            transaction, text, parameters -> parameters.addEach(DeadLetterTable.ids(letters)));
  }

  @Override
  public void replace(Connection transaction, StoredLetter stored, Message replacement)
      throws SQLException {
    try (PreparedStatement statement = database.prepare(transaction, statements.replace())) {
      MessageBinding.one(statement, replacement);
      new Parameters(statement).skip(MessageBinding.COUNT).add(stored.letter().id());
      statement.executeUpdate();
    }
  }

  @Override
  public boolean isStored(Connection transaction, UUID id) throws SQLException {
    return inspector.isStored(transaction, id);
  }
}
