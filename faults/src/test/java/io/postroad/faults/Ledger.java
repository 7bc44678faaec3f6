package io.postroad.faults;

import io.postroad.message.Message;
import java.util.List;
import java.util.Set;

/**
 * The business data of a scene: accounts, each with a number that counts its bookings, and a
 * booking for each event. Committed bookings are the truth about what was committed.
 *
 * @param <T> what a transaction is
 */
interface Ledger<T> {

  /** Makes accounts that may be there already. */
  void openAccounts(Set<String> accounts) throws Exception;

  /**
   * Counts a booking of an account. Until the transaction has ended, no other one can: so numbers
   * follow the order of the commits.
   */
  int count(T transaction, String account) throws Exception;

  /** Writes the bookings of these events. */
  void insert(T transaction, List<Message> events) throws Exception;
}
