package io.postroad.postgres.internal.admin;

import io.postroad.message.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Changes dead letters, as steps of one transaction: LOCK, then one of the others. How a dead
 * letter goes differs between the queue and the log.
 */
interface DeadLetterTable {

  /** Those of these ids that are dead letters; they stay what they are until the end. */
  List<StoredLetter> lock(Connection transaction, List<UUID> ids) throws SQLException;

  void replay(Connection transaction, List<StoredLetter> letters) throws SQLException;

  void discard(Connection transaction, List<StoredLetter> letters) throws SQLException;

  void replace(Connection transaction, StoredLetter letter, Message replacement)
      throws SQLException;

  /** Whether a message with this id is stored, as far as the store knows. */
  boolean isStored(Connection transaction, UUID id) throws SQLException;

  static List<UUID> ids(List<StoredLetter> letters) {
    return letters.stream().map(stored -> stored.letter().id()).toList();
  }
}
