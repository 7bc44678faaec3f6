package io.postroad.internal.process.picture;

import io.postroad.internal.process.picture.SvgLayout.Place;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes a picture as SVG. Used by one thread. */
public final class SvgWriter {
  private static final String STYLE =
      """
      <style>
        .page { fill: #ffffff }
        .shape { fill: #eef3fb; stroke: #3b5b8c; stroke-width: 1.2 }
        .bar { fill: #dde3ea }
        .end { fill: #ffffff }
        .pivot { stroke-width: 4 }
        .undo { fill: #ffffff; stroke-dasharray: 4 3 }
        .done { fill: #d7f0dd }
        .failed { fill: #f7d4d4 }
        .undone { fill: #e4e4e4 }
        .active { fill: #fdf0c4 }
        .arrow { fill: none; stroke: #44546a; stroke-width: 1.2 }
        .back { stroke-dasharray: 2 3 }
        text { font: 13px monospace; fill: #1c2733; text-anchor: middle }
        .small { font-size: 11px }
      </style>
      <defs>
        <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" \
      orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#44546a"/></marker>
      </defs>
      """;

  private final Picture picture;
  private final SvgLayout layout;
  private final StringBuilder text = new StringBuilder();

  private SvgWriter(Picture picture, SvgLayout layout) {
    this.picture = picture;
    this.layout = layout;
  }

  public static String text(Picture picture, SvgLayout layout) {
    return new SvgWriter(picture, layout).written();
  }

  private String written() {
    int width = layout.width();
    int height = layout.height();
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">"
            .formatted(width, height, width, height));
    line("<title>%s</title>".formatted(escaped(picture.title())));
    text.append(STYLE);
    line("<rect class=\"page\" width=\"%d\" height=\"%d\"/>".formatted(width, height));
    picture.arrows().forEach(this::arrow);
    picture.shapes().forEach(this::undo);
    picture.shapes().forEach(this::shape);
    line("</svg>");
    return text.toString();
  }

  private void arrow(Picture.Arrow arrow) {
    List<Place> way = layout.way(arrow);
    Place from = way.get(0);
    Place to = way.get(way.size() - 1);
    String bends =
        way.subList(1, way.size() - 1).stream()
            .map(bend -> " L%d %d V%d".formatted(bend.x(), bend.y(), bend.bottom()))
            .collect(Collectors.joining());
    line(
        "<path class=\"arrow\" marker-end=\"url(#tip)\" d=\"M%d %d%s L%d %d\"/>"
            .formatted(from.x(), from.bottom(), bends, to.x(), to.y()));
    if (!arrow.label().isEmpty()) {
      int x = (from.x() + way.get(1).x()) / 2;
      int y = (from.bottom() + way.get(1).y()) / 2;
      label("small", way.get(1).x() < from.x() ? x - 16 : x + 16, y, arrow.label());
    }
  }

  private void undo(PictureShape shape) {
    if (shape.undo().isPresent()) {
      Place from = layout.place(shape.id());
      Place to = layout.undo(shape);
      int y = to.y() + to.height() / 2;
      line(
          "<path class=\"arrow back\" marker-end=\"url(#tip)\" d=\"M%d %d L%d %d\"/>"
              .formatted(from.right(), y, to.left(), y));
      box("shape undo", to);
      label("small", to.x(), y + 4, shape.undo().get());
    }
  }

  private void shape(PictureShape shape) {
    Place place = layout.place(shape.id());
    String style = "shape" + ownStyle(shape);
    if (shape.form() == PictureShape.Form.CHOICE) {
      choice(style, place);
    } else {
      box(style, place);
    }
    int y = place.y() + SvgLayout.LINE + 2;
    for (int i = 0; i < shape.lines().size(); i++) {
      label(i == 0 ? "name" : "small", place.x(), y + i * SvgLayout.LINE, shape.lines().get(i));
    }
  }

  private static String ownStyle(PictureShape shape) {
    String form =
        switch (shape.form()) {
          case BAR -> " bar";
          case END -> " end";
          default -> "";
        };
    String pivot = shape.isPointOfNoReturn() ? " pivot" : "";
    return form
        + pivot
        + shape.look().map(look -> " " + look.name().toLowerCase(Locale.ROOT)).orElse("");
  }

  private void box(String style, Place place) {
    line(
        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>"
            .formatted(style, place.left(), place.y(), place.width(), place.height()));
  }

  /** A hexagon. */
  private void choice(String style, Place place) {
    int middle = place.y() + place.height() / 2;
    line(
        "<path class=\"%s\" d=\"M%d %d L%d %d L%d %d L%d %d L%d %d L%d %d z\"/>"
            .formatted(
                style,
                place.left(),
                middle,
                place.left() + 12,
                place.y(),
                place.right() - 12,
                place.y(),
                place.right(),
                middle,
                place.right() - 12,
                place.bottom(),
                place.left() + 12,
                place.bottom()));
  }

  private void label(String style, int x, int y, String label) {
    line("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>".formatted(style, x, y, escaped(label)));
  }

  private void line(String content) {
    text.append(content).append('\n');
  }

  /** Escapes markup, and replaces characters that XML does not allow. */
  private static String escaped(String label) {
    return label.codePoints().mapToObj(SvgWriter::escaped).collect(Collectors.joining());
  }

  private static String escaped(int c) {
    return switch (c) {
      case '&' -> "&amp;";
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      case '"' -> "&quot;";
      case '\'' -> "&#39;";
      default -> isXml(c) ? Character.toString(c) : "\uFFFD";
    };
  }

  private static boolean isXml(int c) {
    boolean isSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    return c >= ' ' && !isSurrogate && c != 0xFFFE && c != 0xFFFF;
  }
}
