package io.postroad.internal.process.check;

import io.postroad.internal.process.graph.GraphEdges;
import io.postroad.internal.process.graph.GraphPaths;
import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import io.postroad.process.check.ProcessHandlers;

/** Checks that each command has a handler. */
public record HandlerCheck(
    ProcessGraph graph, GraphPaths paths, ProcessHandlers handlers, Findings findings) {

  public void run() {
    for (Node.Step step : GraphEdges.steps(graph)) {
      if (!handlers.hasHandler(step.command())) {
        missing(step, "command '%s' has no handler".formatted(step.command()), step.command());
      }
      step.undo()
          .map(Node.Undo::command)
          .filter(undo -> !handlers.hasHandler(undo))
          .ifPresent(
              undo -> missing(step, "its compensation '%s' has no handler".formatted(undo), undo));
    }
  }

  private void missing(Node.Step step, String what, String command) {
    findings.error(
        step.id(),
        paths.to(step.id()),
        "%s; add a bean method with one %sCommand parameter, or declare the service that handles it"
            .formatted(what, command));
  }
}
