package io.postroad.micrometer;

import io.postroad.trace.Operation;

/** The view of an operation for conventions, filters and handlers of Micrometer. */
public interface OperationContext {

  Operation operation();

  /** Returns the name of the broker. */
  String system();
}
