package io.postroad.faults;

import java.util.List;

/**
 * Has the database write down what relays change in the outbox. Heartbeats are left out: a node may
 * say that it is alive.
 */
interface ChangeWatch {

  /** Returns the changes of a relay, one text for each. */
  List<String> changesBy(String relay) throws Exception;

  /** From now on, what was changed by now is not told any more. */
  void forget() throws Exception;
}
