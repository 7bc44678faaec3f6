package io.postroad.internal.process.graph;

import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the nodes after a node. Stateless. */
public final class GraphEdges {
  private GraphEdges() {}

  /** Returns the next nodes; for a fork its branches, or the join if it has none. */
  public static List<String> behind(Node node) {
    if (node instanceof Node.Choice choice) {
      return Stream.of(choice.whenTrue(), choice.whenFalse()).flatMap(Optional::stream).toList();
    }
    if (node instanceof Node.Fork fork) {
      return fork.branches().isEmpty() ? List.of(fork.join()) : fork.branches();
    }
    return node.next().stream().toList();
  }

  /** Returns whether the process can end directly after this node. */
  public static boolean isEnd(Node node) {
    if (node instanceof Node.Choice choice) {
      return choice.whenTrue().isEmpty() || choice.whenFalse().isEmpty();
    }
    return !(node instanceof Node.Fork) && node.next().isEmpty();
  }

  /** Returns all nodes that can come after this node. */
  public static Set<String> later(ProcessGraph graph, Node node) {
    return reachable(graph, behind(node), "");
  }

  /** Returns the nodes of a branch, from its first node up to the join, which is not included. */
  public static Set<String> branch(ProcessGraph graph, Node.Fork fork, String first) {
    return reachable(graph, List.of(first), fork.join());
  }

  private static Set<String> reachable(ProcessGraph graph, List<String> from, String stop) {
    Set<String> seen = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(from);
    while (!open.isEmpty()) {
      String id = open.poll();
      if (!id.equals(stop) && seen.add(id)) {
        open.addAll(behind(graph.node(id)));
      }
    }
    return seen;
  }

  /** Returns the steps among these nodes, in the order of the graph. */
  public static List<Node.Step> steps(ProcessGraph graph, Set<String> ids) {
    return steps(graph).stream().filter(step -> ids.contains(step.id())).toList();
  }

  public static List<Node.Step> steps(ProcessGraph graph) {
    return only(graph, Node.Step.class);
  }

  public static List<Node.Fork> forks(ProcessGraph graph) {
    return only(graph, Node.Fork.class);
  }

  private static <N extends Node> List<N> only(ProcessGraph graph, Class<N> kind) {
    return graph.nodes().stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
