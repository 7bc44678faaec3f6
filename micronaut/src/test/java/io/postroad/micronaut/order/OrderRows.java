package io.postroad.micronaut.order;

import java.util.List;

/** What the application writes, in the transaction that it is called in. */
interface OrderRows {

  void add(String table, String id);

  /** Returns the rows as another transaction sees them. */
  List<String> ids(String table);

  /** Returns the rows as another transaction sees them. */
  long count(String table);
}
