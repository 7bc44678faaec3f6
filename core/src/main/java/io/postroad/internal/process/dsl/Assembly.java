package io.postroad.internal.process.dsl;

import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Builds a graph from the parts of a process. Used once, by one thread. */
final class Assembly {
  private final String processType;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, Predicate<Map<String, Object>>> predicates = new HashMap<>();
  private final Map<String, UnaryOperator<Map<String, Object>>> inputs = new HashMap<>();
  private final Map<String, String> places = new HashMap<>();

  private Assembly(String processType) {
    this.processType = processType;
  }

  static ProcessGraph graph(String processType, Optional<Duration> deadline, List<Part> parts) {
    Assembly assembly = new Assembly(processType);
    assembly.line(parts, Optional.empty(), "at the beginning");
    return new ProcessGraph(
        processType,
        parts.get(0).id(),
        deadline,
        assembly.nodes,
        assembly.predicates,
        assembly.inputs);
  }

  /** Returns the first node of a line, or the node after it when the line is empty. */
  static Optional<String> first(List<Part> line, Optional<String> next) {
    return line.isEmpty() ? next : Optional.of(line.get(0).id());
  }

  /**
   * Adds the nodes of a line.
   *
   * @param next the node after it
   * @param beginning a text that tells where the line begins
   */
  void line(List<Part> line, Optional<String> next, String beginning) {
    String place = beginning;
    for (int i = 0; i < line.size(); i++) {
      Part part = line.get(i);
      name(part.id(), place, part.naming());
      part.assemble(this, first(line.subList(i + 1, line.size()), next));
      place = "behind '%s'".formatted(part.id());
    }
  }

  /**
   * Reserves a name.
   *
   * @param place a text that tells where it is used
   * @param naming the code that gives the node its own name
   */
  void name(String id, String place, String naming) {
    String before = places.putIfAbsent(id, place);
    if (before != null) {
      throw new IllegalArgumentException(
          "process '%s' has '%s' twice: %s, and %s; give one of them a name of its own, like %s"
              .formatted(processType, id, before, place, naming));
    }
  }

  void add(Node node) {
    nodes.add(node);
  }

  void add(Node.Choice choice, Predicate<Map<String, Object>> predicate) {
    add(choice);
    predicates.put(choice.id(), predicate);
  }

  void add(Node.Step step, Optional<UnaryOperator<Map<String, Object>>> input) {
    add(step);
    input.ifPresent(function -> inputs.put(step.id(), function));
  }
}
