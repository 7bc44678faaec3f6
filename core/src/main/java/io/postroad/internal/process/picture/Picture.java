package io.postroad.internal.process.picture;

import io.postroad.internal.process.graph.GraphEdges;
import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The shapes and arrows of a graph. Immutable.
 *
 * @param shapes in the order of the graph; the end comes last
 * @param arrows in the order of the graph
 */
public record Picture(String title, List<PictureShape> shapes, List<Arrow> arrows) {
  /** No node has this name. */
  static final String END = "(end)";

  public Picture {
    shapes = List.copyOf(shapes);
    arrows = List.copyOf(arrows);
  }

  /** An arrow from one shape to another. */
  record Arrow(String from, String to, String label) {}

  public static Picture of(ProcessGraph graph, Map<String, String> states) {
    Map<String, PictureShape> shapes = new LinkedHashMap<>();
    List<Arrow> arrows = new ArrayList<>();
    for (Node node : graph.nodes()) {
      shapes.put(node.id(), PictureShape.of(node, Optional.ofNullable(states.get(node.id()))));
      arrows.addAll(arrows(node));
    }
    shapes.put(END, PictureShape.end());
    arrows.removeIf(arrow -> !shapes.containsKey(arrow.to()));
    return new Picture(graph.processType(), List.copyOf(shapes.values()), arrows);
  }

  private static List<Arrow> arrows(Node node) {
    if (node instanceof Node.Choice choice) {
      return List.of(arrow(node, choice.whenTrue(), "yes"), arrow(node, choice.whenFalse(), "no"));
    }
    if (node instanceof Node.Fork) {
      return GraphEdges.behind(node).stream()
          .map(first -> arrow(node, Optional.of(first), ""))
          .toList();
    }
    return List.of(arrow(node, node.next(), ""));
  }

  private static Arrow arrow(Node from, Optional<String> to, String label) {
    return new Arrow(from.id(), to.orElse(END), label);
  }
}
