package io.postroad.micronaut.order;

import java.util.List;

/** What the application writes, in the transaction that it is called in. */
interface OrderRows {

  void add(String table, String id);

  /** As others see it who are in no transaction. */
  List<String> ids(String table);

  /** As others see it who are in no transaction. */
  long count(String table);
}
