package io.postroad.internal.process.check;

import io.postroad.internal.process.graph.GraphEdges;
import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks that the deadline allows the longest way, with one attempt for each step. */
public final class DeadlineCheck {
  private final ProcessGraph graph;
  private final Findings findings;
  private final Map<String, Way> longest = new HashMap<>();

  public DeadlineCheck(ProcessGraph graph, Findings findings) {
    this.graph = graph;
    this.findings = findings;
  }

  public void run() {
    graph.deadline().ifPresent(this::check);
  }

  private void check(Duration deadline) {
    Way way = longestFrom(Optional.of(graph.first()));
    if (deadline.compareTo(way.time()) < 0) {
      findings.warning(
          graph.processType(),
          way.path(),
          "its deadline is %s, and waits and timeouts on this way are %s without any retry"
              .formatted(deadline, way.time()));
    }
  }

  private Way longestFrom(Optional<String> id) {
    if (id.isEmpty()) {
      return new Way(Duration.ZERO, "end");
    }
    Way known = longest.get(id.get());
    if (known == null) {
      known = from(graph.node(id.get())).max(Comparator.comparing(Way::time)).orElseThrow();
      longest.put(id.get(), known);
    }
    return known;
  }

  private Stream<Way> from(Node node) {
    if (node instanceof Node.Choice choice) {
      return Stream.of(
          longestFrom(choice.whenTrue()).after("[%s]".formatted(node.id()), Duration.ZERO),
          longestFrom(choice.whenFalse()).after("[not %s]".formatted(node.id()), Duration.ZERO));
    }
    List<String> next = GraphEdges.behind(node);
    Stream<Optional<String>> ends =
        next.isEmpty() ? Stream.of(Optional.empty()) : next.stream().map(Optional::of);
    return ends.map(each -> longestFrom(each).after(node.id(), own(node)));
  }

  private static Duration own(Node node) {
    if (node instanceof Node.Step step) {
      return step.timeout().orElse(Duration.ZERO);
    }
    if (node instanceof Node.Wait wait) {
      return wait.duration();
    }
    return node instanceof Node.Await await ? await.timeout().orElse(Duration.ZERO) : Duration.ZERO;
  }

  /** A way to the end. */
  private record Way(Duration time, String path) {
    Way after(String node, Duration own) {
      return new Way(time.plus(own), "%s -> %s".formatted(node, path));
    }
  }
}
