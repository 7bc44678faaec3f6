package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import io.postroad.message.Message;
import java.util.List;

/** Where appended messages go. */
interface Insertion {

  /**
   * Inserts messages in the caller's session. An id that is there already is a duplicate key, which
   * ends a transaction.
   */
  void insert(ClientSession session, List<Message> messages);
}
