package io.postroad.process;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The graph of a process: its nodes as data, and the functions that they need. Immutable and safe
 * to use from many threads; predicates and inputs must be, too.
 */
public final class ProcessGraph {
  private final String processType;
  private final String first;
  private final Optional<Duration> deadline;
  private final Map<String, Node> nodes;
  private final Map<String, Predicate<Map<String, Object>>> predicates;
  private final Map<String, UnaryOperator<Map<String, Object>>> inputs;

  /**
   * Creates a graph of these nodes without checking them; {@code ProcessValidator} does that.
   *
   * @param predicates by the id of their {@link Node.Choice}
   * @param inputs by the id of their {@link Node.Step}
   */
  public ProcessGraph(
      String processType,
      String first,
      Optional<Duration> deadline,
      List<Node> nodes,
      Map<String, Predicate<Map<String, Object>>> predicates,
      Map<String, UnaryOperator<Map<String, Object>>> inputs) {
    this.processType = processType;
    this.first = first;
    this.deadline = deadline;
    Map<String, Node> byId = new LinkedHashMap<>();
    nodes.forEach(node -> refuseSecond(byId.put(node.id(), node)));
    this.nodes = Collections.unmodifiableMap(byId);
    this.predicates = Map.copyOf(predicates);
    this.inputs = Map.copyOf(inputs);
  }

  private void refuseSecond(@Nullable Node before) {
    if (before != null) {
      throw new IllegalArgumentException(
          "process '%s' has two nodes '%s'".formatted(processType, before.id()));
    }
  }

  public String processType() {
    return processType;
  }

  /** Returns the id of the first node. */
  public String first() {
    return first;
  }

  /** Returns the time after which the process fails, unless it has ended. */
  public Optional<Duration> deadline() {
    return deadline;
  }

  /** Returns all nodes, in the order of their definition. */
  public Collection<Node> nodes() {
    return nodes.values();
  }

  public Node node(String id) {
    Node node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException(
          "process '%s' has no '%s'; it has %s".formatted(processType, id, nodes.keySet()));
    }
    return node;
  }

  public Optional<Node> find(String id) {
    return Optional.ofNullable(nodes.get(id));
  }

  /** Returns this graph with some of its nodes. */
  public ProcessGraph only(Set<String> ids) {
    List<Node> some = nodes.values().stream().filter(node -> ids.contains(node.id())).toList();
    return new ProcessGraph(processType, first, deadline, some, predicates, inputs);
  }

  public Map<String, Predicate<Map<String, Object>>> predicates() {
    return predicates;
  }

  public Map<String, UnaryOperator<Map<String, Object>>> inputs() {
    return inputs;
  }

  /** Returns the name of the first step. */
  public String getInitialStep() {
    return first;
  }

  /**
   * Returns the next step, wait or fork for this data, with conditions answered. For a fork and for
   * the last step of a branch it is the node after the join; empty at the end.
   *
   * @throws IllegalArgumentException when the process has no such step, naming those it has
   */
  public Optional<String> getNextStep(String step, Map<String, Object> data) {
    Node node = node(step);
    if (node instanceof Node.Choice) {
      return resolved(Optional.of(step), data);
    }
    return resolved(node instanceof Node.Fork fork ? Optional.of(fork.join()) : node.next(), data);
  }

  private Optional<String> resolved(Optional<String> id, Map<String, Object> data) {
    Optional<Node> next = id.map(this::node);
    if (next.isPresent() && next.get() instanceof Node.Choice choice) {
      return resolved(decide(choice, data) ? choice.whenTrue() : choice.whenFalse(), data);
    }
    if (next.isPresent() && next.get() instanceof Node.Join join) {
      return resolved(join.next(), data);
    }
    return id;
  }

  /** Answers the predicate of a choice for this data. */
  public boolean decide(Node.Choice choice, Map<String, Object> data) {
    Predicate<Map<String, Object>> predicate = predicates.get(choice.id());
    if (predicate == null) {
      throw new IllegalStateException(
          "process '%s' has no predicate '%s'".formatted(processType, choice.id()));
    }
    return predicate.test(data);
  }

  /** Returns the function that derives the input of a step from the data. */
  public UnaryOperator<Map<String, Object>> input(Node.Step step) {
    UnaryOperator<Map<String, Object>> input = inputs.get(step.id());
    if (input == null) {
      throw new IllegalStateException(
          "process '%s' has no input for step '%s'".formatted(processType, step.id()));
    }
    return input;
  }

  /** Returns this graph with commands that need no data. */
  public ProcessGraph withoutInputs() {
    List<Node> bare =
        nodes.values().stream()
            .map(node -> node instanceof Node.Step step ? step.withoutInput() : node)
            .toList();
    return new ProcessGraph(processType, first, deadline, bare, predicates, Map.of());
  }

  /** Returns whether a command undoes this step. */
  public boolean requiresCompensation(String step) {
    return getCompensationStep(step).isPresent();
  }

  /** Returns the command that undoes this step, for example {@code ReverseLimits}. */
  public Optional<String> getCompensationStep(String step) {
    return node(step) instanceof Node.Step known
        ? known.undo().map(Node.Undo::command)
        : Optional.empty();
  }
}
