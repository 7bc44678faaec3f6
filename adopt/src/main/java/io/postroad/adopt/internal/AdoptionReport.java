package io.postroad.adopt.internal;

import io.postroad.adopt.ColumnShape;
import io.postroad.adopt.Recognition;
import io.postroad.adopt.Recognition.NotRecognised;
import io.postroad.adopt.Recognition.Origin;
import io.postroad.adopt.Recognition.Recognised;
import io.postroad.adopt.TableShape;
import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Statuses;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Writes an adoption as text: the same sections in the same order, without empty ones. */
public final class AdoptionReport {
  private static final int WIDTH = 80;

  private final TableShape shape;
  private final Recognition recognition;
  private final List<String> added;
  private final List<String> migration;
  private final List<String> problems;
  private final StringBuilder text = new StringBuilder();

  public AdoptionReport(
      TableShape shape,
      Recognition recognition,
      List<String> added,
      List<String> migration,
      List<String> problems) {
    this.shape = shape;
    this.recognition = recognition;
    this.added = added;
    this.migration = migration;
    this.problems = problems;
  }

  public String text() {
    text.append(capital(shape.describe())).append(": ").append(result()).append('\n');
    section("Problems", items(problems.stream()));
    if (recognition instanceof Recognised recognised) {
      Layout layout = recognised.layout();
      section("Layout", layoutLines(layout));
      section("Layout in Java", LayoutCode.lines(layout));
      section("Missing, will be added", wrapped(added.stream()));
      section("Migration", migration);
      section("Rows", new RowFates(layout, shape.expiry()).lines(recognised.rows()));
      section("Left alone", leftAlone(layout));
    } else if (recognition instanceof NotRecognised refused) {
      section("Recognised so far", columnLines(refused.columns()));
    }
    section("Remarks", items(recognition.remarks().stream()));
    return text.toString();
  }

  private String result() {
    if (!problems.isEmpty()) {
      return "cannot be used as it is; nothing was changed";
    }
    return recognition
        .found()
        .map(this::origin)
        .orElse("cannot be used as it is; nothing was changed");
  }

  private String origin(Layout layout) {
    Origin origin = recognition instanceof Recognised found ? found.origin() : Origin.GUESSED;
    return switch (origin) {
      case SHIPPED -> "recognised as '%s', which comes with Postroad".formatted(layout.name());
      case GUESSED ->
          "recognised by the names of its %ss; check the layout".formatted(shape.form().part());
      case TOLD -> "layout '%s' fits".formatted(layout.name());
    };
  }

  private void section(String title, List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    text.append('\n').append(title).append('\n');
    for (String line : lines) {
      for (String each : line.split("\n", -1)) {
        text.append(each.isEmpty() ? "" : "  ").append(each).append('\n');
      }
    }
  }

  private List<String> layoutLines(Layout layout) {
    List<String> lines = new ArrayList<>();
    for (Field field : Field.values()) {
      layout.column(field).ifPresent(column -> lines.add(pair(field.name(), column)));
      if (layout.column(field).isEmpty()) {
        layout.fallback(field).ifPresent(each -> lines.add(pair(field.name(), "= " + say(each))));
      }
    }
    Statuses words = layout.statuses();
    lines.add(pair("statuses", "pending " + words.pending()));
    words.waiting().ifPresent(word -> lines.add(pair("", "waiting " + word)));
    words.processing().ifPresent(word -> lines.add(pair("", "processing " + word)));
    lines.add(pair("", "delivered " + words.delivered()));
    lines.add(pair("", "dead " + words.dead()));
    lines.add(pair("payload", layout.payload().name()));
    lines.add(pair("counting", layout.counting().name()));
    lines.add(pair("executions", layout.executions() + " before a message is dead"));
    if (!layout.minAge().isZero()) {
      lines.add(pair("minimum age", RowFates.say(layout.minAge())));
    }
    if (layout.ordered()) {
      lines.add(pair("ordered", "messages of one key go one after the other"));
    }
    if (layout.exclusive()) {
      lines.add(pair("exclusive", "one node at a time"));
    }
    return lines;
  }

  private static List<String> columnLines(Map<Field, String> columns) {
    Map<Field, String> sorted = new EnumMap<>(Field.class);
    sorted.putAll(columns);
    return sorted.entrySet().stream()
        .map(each -> pair(each.getKey().name(), each.getValue()))
        .toList();
  }

  private List<String> leftAlone(Layout layout) {
    return wrapped(
        shape.columns().stream()
            .map(ColumnShape::name)
            .filter(name -> !layout.columns().containsValue(name))
            .filter(name -> !name.startsWith("postroad_")));
  }

  private static List<String> items(Stream<String> texts) {
    return texts.map("- "::concat).toList();
  }

  /** Puts as many names on a line as fit. */
  private static List<String> wrapped(Stream<String> names) {
    List<String> lines = new ArrayList<>();
    names.forEach(
        name -> {
          int last = lines.size() - 1;
          if (last < 0 || lines.get(last).length() + name.length() > WIDTH) {
            lines.add(name);
          } else {
            lines.set(last, lines.get(last) + ", " + name);
          }
        });
    return lines;
  }

  private static String say(Fallback fallback) {
    String text = fallback.text().isEmpty() ? "" : "'%s'".formatted(fallback.text());
    String field = fallback.of().map(Field::name).orElse("");
    return text.isEmpty() || field.isEmpty() ? text + field : text + " + " + field;
  }

  private static String pair(String left, String right) {
    return "%-18s %s".formatted(left, right);
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
