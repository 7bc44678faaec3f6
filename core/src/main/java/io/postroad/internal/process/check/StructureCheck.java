package io.postroad.internal.process.check;

import io.postroad.internal.process.graph.GraphEdges;
import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Checks that the nodes form a graph without circles. A graph of the DSL does; a stored text may
 * not, and the other checks would not end.
 */
public final class StructureCheck {
  private static final String NO_PATH = "nothing leads there";

  private final ProcessGraph graph;
  private final Findings findings;
  private final Map<String, String> paths = new HashMap<>();
  private boolean isSound = true;

  public StructureCheck(ProcessGraph graph, Findings findings) {
    this.graph = graph;
    this.findings = findings;
  }

  /** Returns the nodes that can be reached; empty when they form no graph. */
  public Optional<ProcessGraph> soundPart() {
    walk(graph.first(), graph.first(), new HashSet<>());
    if (isSound) {
      graph.nodes().stream().filter(node -> !paths.containsKey(node.id())).forEach(this::lost);
      GraphEdges.forks(reached()).forEach(this::fork);
    }
    return isSound ? Optional.of(reached()) : Optional.empty();
  }

  private ProcessGraph reached() {
    return graph.only(paths.keySet());
  }

  /** Visits each node once, and remembers the open ones to find circles. */
  private void walk(String id, String path, Set<String> around) {
    if (graph.find(id).isEmpty()) {
      wrong(id, path, "there is no such node");
      return;
    }
    if (!around.add(id)) {
      wrong(id, path, "it comes back to itself, and a process only goes forward");
      return;
    }
    if (paths.putIfAbsent(id, path) == null) {
      next(graph.node(id)).forEach(each -> walk(each, path + " -> " + each, around));
    }
    around.remove(id);
  }

  private static Stream<String> next(Node node) {
    Stream<String> join = node instanceof Node.Fork fork ? Stream.of(fork.join()) : Stream.empty();
    return Stream.concat(GraphEdges.behind(node).stream(), join);
  }

  private void lost(Node node) {
    findings.error(
        node.id(), NO_PATH, "it cannot be reached: leave it out, or lead a branch to it");
  }

  private void fork(Node.Fork fork) {
    String path = paths.getOrDefault(fork.id(), NO_PATH);
    if (!(graph.node(fork.join()) instanceof Node.Join join && join.fork().equals(fork.id()))) {
      wrong(fork.id(), path, "'%s' is not its join".formatted(fork.join()));
      return;
    }
    if (fork.branches().isEmpty()) {
      findings.error(
          fork.id(), path, "it has no branches for '%s' to wait for".formatted(fork.join()));
    }
    fork.branches().forEach(branch -> branch(fork, branch, path));
  }

  private void branch(Node.Fork fork, String first, String path) {
    Set<String> inside = GraphEdges.branch(graph, fork, first);
    List<Node> nodes = inside.stream().map(graph::node).toList();
    if (first.equals(fork.join()) || nodes.stream().anyMatch(GraphEdges::isEnd)) {
      wrong(
          fork.id(),
          path,
          "the branch at '%s' does not lead to '%s' on every way".formatted(first, fork.join()));
    }
  }

  private void wrong(String id, String path, String what) {
    isSound = false;
    findings.error(id, path, what);
  }
}
