package io.postroad.internal.process.check;

import io.postroad.internal.process.graph.GraphEdges;
import io.postroad.internal.process.graph.GraphPaths;
import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import io.postroad.process.check.ProcessHandlers;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks that parallel branches do not write the same keys. Compares only results of a known type.
 */
public record ForkCheck(
    ProcessGraph graph, GraphPaths paths, ProcessHandlers handlers, Findings findings) {

  public void run() {
    GraphEdges.forks(graph).forEach(this::check);
  }

  private void check(Node.Fork fork) {
    Map<String, Node.Step> writers = new TreeMap<>();
    for (String first : fork.branches()) {
      Map<String, Node.Step> own = writers(GraphEdges.branch(graph, fork, first));
      own.forEach((key, step) -> compare(fork, key, writers.get(key), step));
      own.forEach(writers::putIfAbsent);
    }
  }

  private Map<String, Node.Step> writers(Set<String> branch) {
    Map<String, Node.Step> writers = new TreeMap<>();
    for (Node.Step step : GraphEdges.steps(graph, branch)) {
      Set<String> keys = handlers.resultKeys(step.command()).orElse(Set.of());
      keys.forEach(key -> writers.putIfAbsent(key, step));
    }
    return writers;
  }

  private void compare(Node.Fork fork, String key, Node.@Nullable Step other, Node.Step step) {
    if (other != null) {
      findings.error(
          step.id(),
          paths.to(step.id()),
          ("it writes '%s', and so does '%s' in another branch of '%s' (%s): only one value"
                  + " would be left, so one of them needs another name")
              .formatted(key, other.id(), fork.id(), paths.to(other.id())));
    }
  }
}
