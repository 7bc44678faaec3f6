package io.postroad.internal.process.engine;

import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** In which branch each node of a graph is. Immutable and safe to use from many threads. */
public final class Scopes {
  private final ProcessGraph graph;
  private final Map<String, Optional<Scope>> scopes = new HashMap<>();

  private Scopes(ProcessGraph graph) {
    this.graph = graph;
  }

  public static Scopes of(ProcessGraph graph) {
    Scopes scopes = new Scopes(graph);
    scopes.visit(Optional.of(graph.first()), Optional.empty());
    return scopes;
  }

  private void visit(Optional<String> id, Optional<Scope> scope) {
    if (id.isEmpty() || scopes.containsKey(id.get())) {
      return;
    }
    Node node = graph.node(id.get());
    if (node instanceof Node.Join && scope.isPresent()) {
      // Reached from inside a branch; it belongs to where its fork is, and is visited from there.
      return;
    }
    scopes.put(node.id(), scope);
    if (node instanceof Node.Choice choice) {
      visit(choice.whenTrue(), scope);
      visit(choice.whenFalse(), scope);
    } else if (node instanceof Node.Fork fork) {
      for (int branch = 0; branch < fork.branches().size(); branch++) {
        visit(
            Optional.of(fork.branches().get(branch)),
            Optional.of(new Scope(fork.id(), branch, scope)));
      }
      scopes.put(fork.join(), scope);
      visit(graph.node(fork.join()).next(), scope);
    } else {
      visit(node.next(), scope);
    }
  }

  /** The branch that a node is in; empty for the process itself. */
  public Optional<Scope> of(String node) {
    return scopes.getOrDefault(node, Optional.empty());
  }

  /** What a node sees: the data of the process, and on top that of the branches around it. */
  Map<String, Object> view(ProcessState state, Optional<Scope> scope) {
    if (scope.isEmpty()) {
      // Whether it was read or remembered, a function of the user's must not change it.
      return Collections.unmodifiableMap(state.data());
    }
    return ProcessState.merged(
        view(state, scope.get().parent()),
        state.branchData().getOrDefault(scope.get().name(), Map.of()));
  }
}
