package io.postroad.internal.process.check;

import io.postroad.internal.process.graph.GraphEdges;
import io.postroad.internal.process.graph.GraphPaths;
import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StartData;
import io.postroad.process.check.ProcessHandlers;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Checks that each command finds its required fields on every way that leads to it. Known keys are
 * those of the start and of the results of earlier steps. A step with an unknown result type and a
 * signal may bring any key, which makes a warning. A derived input is not checked.
 */
public final class DataCheck {
  private static final Set<String> ALWAYS = Set.of("processId", "businessKey", "stepKey");

  private final ProcessGraph graph;
  private final GraphPaths paths;
  private final Optional<StartData> start;
  private final ProcessHandlers handlers;
  private final Findings findings;
  private final Set<String> wanted = new LinkedHashSet<>();
  private final Set<String> doubted = new LinkedHashSet<>();

  public DataCheck(
      ProcessGraph graph,
      GraphPaths paths,
      Optional<StartData> start,
      ProcessHandlers handlers,
      Findings findings) {
    this.graph = graph;
    this.paths = paths;
    this.start = start;
    this.handlers = handlers;
    this.findings = findings;
  }

  public void run() {
    for (Node.Step step : GraphEdges.steps(graph)) {
      if (!step.isInputDerived()) {
        needs(step).forEach(this::check);
      }
    }
    tellWhatTheStartMustBring();
  }

  /** Returns the keys that a step and its undo need; the undo also sees the reply of the step. */
  private Stream<Need> needs(Node.Step step) {
    Stream<Need> own =
        required(step.fields()).map(key -> new Need(step, step.command(), key, false));
    Stream<Need> undo =
        step.undo().stream()
            .flatMap(
                command ->
                    required(command.fields())
                        .filter(key -> !writes(step, key))
                        .map(key -> new Need(step, command.command(), key, isUnknown(step))));
    return Stream.concat(own, undo);
  }

  private Stream<String> required(Optional<List<Node.Field>> fields) {
    return fields.stream()
        .flatMap(List::stream)
        .filter(Node.Field::isRequired)
        .map(Node.Field::name)
        .filter(key -> !ALWAYS.contains(key) && !isBroughtByStart(key));
  }

  private boolean isBroughtByStart(String key) {
    return start.isPresent() && start.get().required().contains(key);
  }

  private void check(Need need) {
    Optional<String> sure = paths.avoiding(need.step().id(), node -> mayWrite(node, need.key()));
    Optional<String> doubt = paths.avoiding(need.step().id(), node -> writes(node, need.key()));
    if (sure.isPresent() && !need.isDoubtful()) {
      lacking(need, sure.get());
    } else if (doubt.isPresent()) {
      doubtful(need, doubt.get());
    }
  }

  private void lacking(Need need, String path) {
    boolean mayStartBringIt = start.isEmpty() || start.get().optional().contains(need.key());
    boolean isWritten = graph.nodes().stream().anyMatch(node -> writes(node, need.key()));
    if (start.isEmpty() && !isWritten) {
      wanted.add(need.key());
    } else if (mayStartBringIt) {
      findings.warning(
          need.step().id(),
          path,
          "%s needs '%s', which no step provides on this way, and the start may lack it"
              .formatted(need.command(), need.key()));
    } else {
      findings.error(
          need.step().id(),
          path,
          ("%s needs '%s', and neither the start nor a step provides it on this way: make it"
                  + " an Optional, derive it with withInput(..), or add it to startData()")
              .formatted(need.command(), need.key()));
    }
  }

  private void doubtful(Need need, String path) {
    if (start.isEmpty()) {
      doubted.add(need.key());
    } else {
      findings.warning(
          need.step().id(),
          path,
          ("%s needs '%s', which comes only if one of %s provides it: what these return is"
                  + " not known; a handler that returns a record would say it")
              .formatted(need.command(), need.key(), unknownBefore(need.step())));
    }
  }

  private List<String> unknownBefore(Node.Step step) {
    List<String> unknown = new ArrayList<>();
    for (Node node : graph.nodes()) {
      boolean isBefore = node.equals(step) || GraphEdges.later(graph, node).contains(step.id());
      if (isBefore && isUnknown(node)) {
        unknown.add(node.id());
      }
    }
    return unknown;
  }

  private void tellWhatTheStartMustBring() {
    doubted.removeAll(wanted);
    List<String> keys = new ArrayList<>();
    if (!wanted.isEmpty()) {
      keys.add(wanted.toString());
    }
    if (!doubted.isEmpty()) {
      keys.add(doubted + " unless a step with an unknown result provides them");
    }
    if (!keys.isEmpty()) {
      findings.warning(
          ("it declares no startData(), and its start must bring %s; once they are declared,"
                  + " a start without them is refused")
              .formatted(String.join(", and ", keys)));
    }
  }

  private boolean mayWrite(Node node, String key) {
    return isUnknown(node) || writes(node, key);
  }

  private boolean writes(Node node, String key) {
    return node instanceof Node.Step step
        && handlers.resultKeys(step.command()).orElse(Set.of()).contains(key);
  }

  private boolean isUnknown(Node node) {
    return node instanceof Node.Await
        || (node instanceof Node.Step step && handlers.resultKeys(step.command()).isEmpty());
  }

  /**
   * A key that a command of this step needs.
   *
   * @param isDoubtful the reply to the step itself may have it
   */
  private record Need(Node.Step step, String command, String key, boolean isDoubtful) {}
}
