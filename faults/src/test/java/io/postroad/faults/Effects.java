package io.postroad.faults;

import io.postroad.message.Message;
import java.util.List;

/**
 * Rows that handlers wrote: one for each time that one ran and its transaction was committed.
 * Nothing in the database keeps a message from having several.
 *
 * @param <T> what a transaction is
 */
interface Effects<T> {

  /**
   * Writes a row for a message, whose text is its number, with how many of its key are there. When
   * messages of a key are handled one after the other, that is how many came before it.
   */
  void add(T transaction, Message message) throws Exception;

  /** Lets a key have one row only: a second transaction that writes one waits, or is refused. */
  void oncePerKey() throws Exception;

  /** Every row that is committed. */
  List<Effect> all() throws Exception;

  /** How many messages have a row. */
  int messages() throws Exception;

  /** The number that a message has for a text. */
  static int numberOf(Message message) {
    return Integer.parseInt(message.payload().text().orElseThrow().strip());
  }
}
