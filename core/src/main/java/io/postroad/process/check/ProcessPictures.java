package io.postroad.process.check;

import io.postroad.internal.process.picture.MermaidWriter;
import io.postroad.internal.process.picture.Picture;
import io.postroad.internal.process.picture.SvgLayout;
import io.postroad.internal.process.picture.SvgWriter;
import io.postroad.process.ProcessGraph;
import java.util.Map;

/**
 * Draws graphs, with undos dotted, and the progress of a process. Stateless; the same graph has the
 * same text.
 *
 * <p>Names are escaped, so a picture can be put into a page as it is.
 */
public final class ProcessPictures {
  private ProcessPictures() {}

  /** Draws a graph as a Mermaid flowchart. */
  public static String mermaid(ProcessGraph graph) {
    return mermaid(graph, Map.of());
  }

  /**
   * Draws a process as a Mermaid flowchart.
   *
   * @param states the state of each node that was reached, for example {@code COMPLETED}, by the id
   *     of the node
   */
  public static String mermaid(ProcessGraph graph, Map<String, String> states) {
    return MermaidWriter.text(Picture.of(graph, states));
  }

  /** Draws a graph as an SVG document without references. */
  public static String svg(ProcessGraph graph) {
    return svg(graph, Map.of());
  }

  /**
   * Draws a process as an SVG document without references.
   *
   * @param states the state of each node that was reached, for example {@code COMPLETED}, by the id
   *     of the node
   */
  public static String svg(ProcessGraph graph, Map<String, String> states) {
    Picture picture = Picture.of(graph, states);
    return SvgWriter.text(picture, SvgLayout.of(picture));
  }
}
