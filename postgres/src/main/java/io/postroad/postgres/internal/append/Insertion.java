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
   * @return what was written, and whose id was there before or comes twice
   */
  Written insert(Connection transaction, List<Message> messages) throws SQLException;

  /** Takes back what {@link #insert} has written where it refused something. */
  void forget(Connection transaction, List<UUID> written) throws SQLException;

  /** What became of the messages of one call. */
  record Written(List<UUID> ids, List<UUID> refused) {}
}
