package io.postroad.internal.process.engine;

import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Tells in which branch each node of a graph is. Immutable. */
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
      // Reached from inside a branch. A join is in the branch of its fork and is visited from
      // there.
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

  /** Returns the branch that a node is in; empty for a node outside of branches. */
  public Optional<Scope> of(String node) {
    return scopes.getOrDefault(node, Optional.empty());
  }

  /** Returns the data that a node sees: that of the process, overlaid by that of its branches. */
  Map<String, Object> view(ProcessState state, Optional<Scope> scope) {
    if (scope.isEmpty()) {
      // A function of the application must not change the state.
      return Collections.unmodifiableMap(state.data());
    }
    return ProcessState.merged(view(state, scope.get().parent()), state.branch(scope.get()));
  }
}
