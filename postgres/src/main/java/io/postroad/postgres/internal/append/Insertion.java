package io.postroad.postgres.internal.append;

import io.postroad.message.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Where appended messages go. */
public interface Insertion {

  /**
   * Inserts messages in the caller's transaction.
   *
   * @return the ids that were written, and those that were stored before or come twice
   */
  Written insert(Connection transaction, List<Message> messages) throws SQLException;

  /** Removes the messages that {@link #insert} has written when it refused one. */
  void forget(Connection transaction, List<UUID> written) throws SQLException;

  /** The result of the messages of one call. */
  record Written(List<UUID> ids, List<UUID> refused) {}
}
