package io.postroad.micrometer;

import io.postroad.trace.Operation;

/** What conventions, filters and handlers of Micrometer can know of an operation of Postroad. */
public interface OperationContext {

  Operation operation();

  /** Which broker the messages go through. */
  String system();
}
