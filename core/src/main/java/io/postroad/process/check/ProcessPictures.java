package io.postroad.process.check;

import io.postroad.internal.process.picture.MermaidWriter;
import io.postroad.internal.process.picture.Picture;
import io.postroad.internal.process.picture.SvgLayout;
import io.postroad.internal.process.picture.SvgWriter;
import io.postroad.process.ProcessGraph;
import java.util.Map;

/**
 * Pictures of processes: what a graph does, its undo dotted, and how far one process has come.
 * Stateless, no I/O; the same graph has the same text.
 *
 * <p>Names are escaped, so a picture can be put into a page as it is.
 */
public final class ProcessPictures {
  private ProcessPictures() {}

  /** The graph as a Mermaid flowchart. */
  public static String mermaid(ProcessGraph graph) {
    return mermaid(graph, Map.of());
  }

  /**
   * One process as a Mermaid flowchart.
   *
   * @param states the state of each node that was reached, for example {@code COMPLETED}, by the id
   *     of the node
   */
  public static String mermaid(ProcessGraph graph, Map<String, String> states) {
    return MermaidWriter.text(Picture.of(graph, states));
  }

  /** The graph as an SVG document that needs nothing else. */
  public static String svg(ProcessGraph graph) {
    return svg(graph, Map.of());
  }

  /**
   * One process as an SVG document that needs nothing else.
   *
   * @param states the state of each node that was reached, for example {@code COMPLETED}, by the id
   *     of the node
   */
  public static String svg(ProcessGraph graph, Map<String, String> states) {
    Picture picture = Picture.of(graph, states);
    return SvgWriter.text(picture, SvgLayout.of(picture));
  }
}
