package io.postroad.process;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A graph as text, for tests: each node with where it leads to. */
public final class Walk {
  private Walk() {}

  /** The steps that a process without forks takes with this data: {@code A -> B -> end}. */
  public static String of(ProcessGraph graph, Map<String, Object> data) {
    StringBuilder text = new StringBuilder();
    Optional<String> step = Optional.of(graph.getInitialStep());
    while (step.isPresent()) {
      text.append(step.get()).append(" -> ");
      step = graph.getNextStep(step.get(), data);
    }
    return text + "end";
  }

  /** One line for each node, in the order of the graph. */
  public static String edges(ProcessGraph graph) {
    return graph.nodes().stream().map(Walk::edges).collect(Collectors.joining("\n"));
  }

  private static String edges(Node node) {
    if (node instanceof Node.Choice choice) {
      return "%s ? %s : %s".formatted(node.id(), to(choice.whenTrue()), to(choice.whenFalse()));
    }
    if (node instanceof Node.Fork fork) {
      return "%s => %s => %s".formatted(node.id(), names(fork.branches()), fork.join());
    }
    return "%s -> %s".formatted(node.id(), to(node.next()));
  }

  private static String to(Optional<String> next) {
    return next.orElse("end");
  }

  private static String names(Collection<String> ids) {
    return String.join(", ", ids);
  }
}
