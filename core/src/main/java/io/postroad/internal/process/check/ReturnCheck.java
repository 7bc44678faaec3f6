package io.postroad.internal.process.check;

import io.postroad.internal.process.graph.GraphEdges;
import io.postroad.internal.process.graph.GraphPaths;
import io.postroad.process.Node;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StepRetry;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Checks points of no return: the steps after one must succeed, and no branch may run beside it.
 */
public record ReturnCheck(
    ProcessGraph graph, GraphPaths paths, ProcessConfiguration configuration, Findings findings) {

  public void run() {
    Set<String> behind = new LinkedHashSet<>();
    for (Node.Step step : GraphEdges.steps(graph)) {
      if (step.isPointOfNoReturn()) {
        refuseInBranch(step);
        behind.addAll(GraphEdges.later(graph, step));
      }
    }
    GraphEdges.steps(graph, behind).forEach(this::check);
  }

  private void refuseInBranch(Node.Step step) {
    GraphEdges.forks(graph).stream()
        .filter(fork -> isInside(fork, step))
        .findFirst()
        .ifPresent(
            fork ->
                findings.error(
                    step.id(),
                    paths.to(step.id()),
                    ("a point of no return cannot be in a branch of '%s': another branch may"
                            + " fail and would have to be undone; put it behind '%s'")
                        .formatted(fork.id(), fork.join())));
  }

  private boolean isInside(Node.Fork fork, Node.Step step) {
    return fork.branches().stream()
        .anyMatch(branch -> GraphEdges.branch(graph, fork, branch).contains(step.id()));
  }

  private void check(Node.Step step) {
    int retries = step.retry().map(StepRetry::maxRetries).orElseGet(() -> configured(step));
    if (retries < Integer.MAX_VALUE) {
      findings.warning(
          step.id(),
          paths.to(step.id()),
          ("it is behind a point of no return, where nothing can be undone, and fails for"
                  + " good after %d retries; withRetry(StepRetry.forever(..)) keeps at it")
              .formatted(retries));
    }
  }

  private int configured(Node.Step step) {
    return configuration.getMaxRetries(step.id());
  }
}
