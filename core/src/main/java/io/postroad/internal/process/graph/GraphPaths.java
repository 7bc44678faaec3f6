package io.postroad.internal.process.graph;

import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds ways through a sound graph, as texts: {@code BookLimits -> [requiresFx] -> BookFx}. A way
 * to a node after a join goes through all branches of its fork at once. Immutable.
 */
public record GraphPaths(ProcessGraph graph) {

  /** Returns a way to a node. */
  public String to(String target) {
    return avoiding(target, node -> false).orElse("nothing leads there");
  }

  /**
   * Returns a way to a node that passes none of these; empty when there is none. A fork is passed
   * when each of its branches has such a way.
   */
  public Optional<String> avoiding(String target, Predicate<Node> avoided) {
    return new Search(graph, target, avoided).from(graph.first());
  }

  /** Searches one target; skips nodes that were searched in vain. */
  private static final class Search {
    private final ProcessGraph graph;
    private final String target;
    private final Predicate<Node> avoided;
    private final Set<String> vain = new HashSet<>();

    Search(ProcessGraph graph, String target, Predicate<Node> avoided) {
      this.graph = graph;
      this.target = target;
      this.avoided = avoided;
    }

    Optional<String> from(String id) {
      if (id.equals(target)) {
        return Optional.of(id);
      }
      Node node = graph.node(id);
      if (avoided.test(node) || !vain.add(id)) {
        return Optional.empty();
      }
      return behind(node);
    }

    private Optional<String> behind(Node node) {
      if (node instanceof Node.Choice choice) {
        return from(choice.whenTrue(), "[%s]".formatted(node.id()))
            .or(() -> from(choice.whenFalse(), "[not %s]".formatted(node.id())));
      }
      if (node instanceof Node.Fork fork) {
        return into(fork).or(() -> past(fork));
      }
      // a join is passed only by way of its fork, since all branches must arrive
      return node instanceof Node.Join ? Optional.empty() : from(node.next(), node.id());
    }

    private Optional<String> into(Node.Fork fork) {
      return fork.branches().stream()
          .flatMap(branch -> from(Optional.of(branch), fork.id()).stream())
          .findFirst();
    }

    private Optional<String> past(Node.Fork fork) {
      Optional<String> join = Optional.of(fork.join());
      if (fork.join().equals(target)) {
        return from(join, fork.id());
      }
      boolean isPassed =
          fork.branches().stream()
              .allMatch(branch -> new Search(graph, fork.join(), avoided).from(branch).isPresent());
      Optional<String> next = graph.node(fork.join()).next();
      return isPassed ? from(next, "%s -> %s".formatted(fork.id(), fork.join())) : Optional.empty();
    }

    private Optional<String> from(Optional<String> id, String before) {
      return id.flatMap(this::from).map(rest -> before + " -> " + rest);
    }
  }
}
