package io.postroad.test.model;

import io.postroad.message.PostroadException;
import io.postroad.process.ProcessGraph;
import java.util.List;

/** Thrown when a law does not hold for a process; {@link #trace()} has the inputs. */
public final class ModelCheckException extends PostroadException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> trace;

  private ModelCheckException(String message, List<String> trace) {
    super(message);
    this.trace = List.copyOf(trace);
  }

  static ModelCheckException of(ProcessGraph graph, String what, List<String> trace) {
    return new ModelCheckException(
        "process '%s': %s, after: %s"
            .formatted(graph.processType(), what, String.join(" -> ", trace)),
        trace);
  }

  /** Returns the inputs up to there, in order. */
  public List<String> trace() {
    return trace;
  }
}
