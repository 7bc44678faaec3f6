package io.postroad.process;

/** Whether each command has somebody who handles it. */
record HandlerCheck(
    ProcessGraph graph, GraphPaths paths, ProcessHandlers handlers, Findings findings) {

  void run() {
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
        "%s; add a bean method with one %sCommand parameter, or say who handles it elsewhere"
            .formatted(what, command));
  }
}
