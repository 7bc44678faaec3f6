package io.postroad.internal.process.picture;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Writes a picture as a Mermaid flowchart. Shapes are called n1, n2 and so on, since a name could
 * be a word of Mermaid.
 */
public final class MermaidWriter {
  private static final String STYLES =
      """
        classDef undo stroke-dasharray:4 3
        classDef pivot stroke-width:4px
        classDef done fill:#d7f0dd
        classDef failed fill:#f7d4d4
        classDef undone fill:#e4e4e4
        classDef active fill:#fdf0c4
      """;

  private final Picture picture;
  private final Map<String, String> names = new HashMap<>();
  private final StringBuilder text = new StringBuilder("flowchart TD\n");

  private MermaidWriter(Picture picture) {
    this.picture = picture;
    picture.shapes().forEach(shape -> names.put(shape.id(), "n" + (names.size() + 1)));
  }

  public static String text(Picture picture) {
    return new MermaidWriter(picture).written();
  }

  private String written() {
    picture.shapes().forEach(this::shape);
    picture.arrows().forEach(this::arrow);
    picture.shapes().forEach(this::undo);
    return text.append(STYLES).toString();
  }

  private void shape(PictureShape shape) {
    String label =
        shape.lines().stream().map(MermaidWriter::escaped).collect(Collectors.joining("<br/>"));
    line(name(shape.id()) + outline(shape.form()).formatted(label) + classes(shape));
  }

  private static String outline(PictureShape.Form form) {
    return switch (form) {
      case STEP -> "[\"%s\"]";
      case CHOICE -> "{\"%s\"}";
      case BAR -> "[[\"%s\"]]";
      case PAUSE -> "([\"%s\"])";
      case END -> "(((\"%s\")))";
    };
  }

  /** Returns the class of a shape; its progress comes before its point of no return. */
  private static String classes(PictureShape shape) {
    return shape
        .look()
        .map(look -> ":::" + look.name().toLowerCase(Locale.ROOT))
        .orElse(shape.isPointOfNoReturn() ? ":::pivot" : "");
  }

  private void arrow(Picture.Arrow arrow) {
    String label = arrow.label().isEmpty() ? "" : "|%s|".formatted(arrow.label());
    line("%s -->%s %s".formatted(name(arrow.from()), label, name(arrow.to())));
  }

  private void undo(PictureShape shape) {
    shape
        .undo()
        .ifPresent(
            command ->
                line(
                    "%s -.->|undo| %su[\"%s\"]:::undo"
                        .formatted(name(shape.id()), name(shape.id()), escaped(command))));
  }

  private String name(String id) {
    return Objects.requireNonNull(names.get(id), id);
  }

  private void line(String content) {
    text.append("  ").append(content).append('\n');
  }

  /** Escapes characters that could end the text or be markup; line breaks become spaces. */
  private static String escaped(String label) {
    return label
        .chars()
        .mapToObj(c -> isPlain(c) ? Character.toString(c) : c < ' ' ? " " : "#%d;".formatted(c))
        .collect(Collectors.joining());
  }

  private static boolean isPlain(int c) {
    return c >= ' ' && "\"#&<>;`\\".indexOf(c) < 0;
  }
}
