package io.postroad.spring.boot.order;

import java.util.List;

/** Rows or documents of the business, by whatever the application uses. */
public interface OrderRows {
  void insert(String table, String name);

  /** What others see. */
  List<String> names(String table);

  /** How many rows or documents of Postroad's there are. */
  long count(String table);
}
