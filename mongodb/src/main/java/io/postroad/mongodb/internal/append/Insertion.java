package io.postroad.mongodb.internal.append;

import com.mongodb.client.ClientSession;
import io.postroad.message.Message;
import java.util.List;

/** Where appended messages go. */
public interface Insertion {

  /**
   * Inserts messages in the caller's session. An id that is there already is a duplicate key, which
   * ends a transaction.
   */
  void insert(ClientSession session, List<Message> messages);
}
