package io.postroad.adopt.internal;

import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.layout.Statuses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Writes Java code that builds a layout: a shipped one with its differences, or a new one. */
final class LayoutCode {
  private final Layout layout;
  private final TreeSet<String> imports = new TreeSet<>();
  private final List<String> calls = new ArrayList<>();

  private LayoutCode(Layout layout) {
    this.layout = layout;
  }

  /** Returns imports, an empty line and a statement that declares {@code layout}. */
  static List<String> lines(Layout layout) {
    LayoutCode code = new LayoutCode(layout);
    Optional<Layout> shipped = shipped(layout);
    String begin = shipped.isPresent() ? beginShipped(layout) : code.beginFromNothing();
    code.differences(shipped.orElseGet(() -> fromNothing(layout)));
    code.imports.add(
        shipped.isPresent() ? "io.postroad.layout.Layouts" : "io.postroad.layout.Statuses");
    code.imports.add("io.postroad.layout.Layout");
    List<String> lines = new ArrayList<>();
    code.imports.forEach(each -> lines.add("import %s;".formatted(each)));
    lines.add("");
    lines.addAll(code.statement(begin));
    return lines;
  }

  private List<String> statement(String begin) {
    if (calls.isEmpty()) {
      return List.of("Layout layout = %s;".formatted(begin));
    }
    List<String> lines = new ArrayList<>(List.of("Layout layout ="));
    begin.lines().forEach(each -> lines.add("    " + each));
    calls.forEach(each -> lines.add("        " + each));
    int last = lines.size() - 1;
    lines.set(last, lines.get(last) + ";");
    return lines;
  }

  /**
   * Returns the shipped layout of this name, if calls can change it into this layout: columns can
   * be added, not removed.
   */
  private static Optional<Layout> shipped(Layout layout) {
    return Stream.concat(Layouts.ofTables().stream(), Layouts.ofCollections().stream())
        .filter(each -> each.name().equals(layout.name()))
        .filter(each -> layout.columns().keySet().containsAll(each.columns().keySet()))
        .filter(
            each ->
                Stream.of(Field.values())
                    .allMatch(
                        field ->
                            each.fallback(field).isEmpty() || layout.fallback(field).isPresent()))
        .map(each -> isMessagingPlatform(each) ? platform(layout) : each)
        .findFirst();
  }

  private static boolean isMessagingPlatform(Layout layout) {
    return layout.name().equals(Layouts.messagingPlatform(1).name());
  }

  private static Layout platform(Layout layout) {
    return Layouts.messagingPlatform(layout.executions() - 1);
  }

  private static String beginShipped(Layout layout) {
    StringBuilder method = new StringBuilder();
    for (String part : layout.name().split("-")) {
      method.append(
          method.isEmpty() ? part : Character.toUpperCase(part.charAt(0)) + part.substring(1));
    }
    String arguments = isMessagingPlatform(layout) ? "" + (layout.executions() - 1) : "";
    return "Layouts.%s(%s)".formatted(method, arguments);
  }

  private static Layout fromNothing(Layout layout) {
    return Layout.of(layout.name(), layout.table(), layout.statuses());
  }

  private String beginFromNothing() {
    return """
        Layout.of(
                %s,
                %s,
                %s)"""
        .formatted(quoted(layout.name()), quoted(layout.table()), statuses());
  }

  private String statuses() {
    Statuses words = layout.statuses();
    return "Statuses.of(%s, %s, %s)"
            .formatted(quoted(words.pending()), quoted(words.delivered()), quoted(words.dead()))
        + words.processing().map(word -> ".withProcessing(%s)".formatted(quoted(word))).orElse("")
        + words.waiting().map(word -> ".withWaiting(%s)".formatted(quoted(word))).orElse("");
  }

  private void differences(Layout base) {
    if (!base.table().equals(layout.table())) {
      call("withTable", quoted(layout.table()));
    }
    if (!base.statuses().equals(layout.statuses())) {
      imports.add("io.postroad.layout.Statuses");
      call("withStatuses", statuses());
    }
    for (Field field : Field.values()) {
      layout
          .column(field)
          .filter(column -> !base.column(field).equals(Optional.of(column)))
          .ifPresent(column -> field(field, quoted(column)));
      layout
          .fallback(field)
          .filter(fallback -> !base.fallback(field).equals(Optional.of(fallback)))
          .ifPresent(fallback -> field(field, fallback(fallback)));
    }
    rules(base);
  }

  private void rules(Layout base) {
    if (base.payload() != layout.payload()) {
      imports.add("io.postroad.layout.PayloadForm");
      call("withPayload", "PayloadForm." + layout.payload());
    }
    if (base.counting() != layout.counting()) {
      imports.add("io.postroad.layout.Counting");
      call("withCounting", "Counting." + layout.counting());
    }
    if (!base.zone().equals(layout.zone())) {
      imports.add("java.time.ZoneId");
      call("withZone", "ZoneId.of(%s)".formatted(quoted(layout.zone().getId())));
    }
    if (!base.minAge().equals(layout.minAge())) {
      call("withMinAge", duration(layout.minAge()));
    }
    if (!base.strangersAfter().equals(layout.strangersAfter())) {
      call("withStrangersAfter", duration(layout.strangersAfter()));
    }
    if (base.exclusive() != layout.exclusive()) {
      call("withExclusive", "" + layout.exclusive());
    }
    if (base.ordered() != layout.ordered()) {
      call("withOrdered", "" + layout.ordered());
    }
    if (base.executions() != layout.executions()) {
      call("withExecutions", "" + layout.executions());
    }
    if (rowsAreDelivered(base) != rowsAreDelivered(layout)) {
      call("withRowsAreDelivered", "" + rowsAreDelivered(layout));
    }
    if (base.revivesFailed() != layout.revivesFailed()) {
      call("withRevivesFailed", "" + layout.revivesFailed());
    }
  }

  private static boolean rowsAreDelivered(Layout layout) {
    return layout.statusOfRowsWithoutOne().equals(layout.statuses().delivered());
  }

  private void field(Field field, String what) {
    imports.add("io.postroad.layout.Field");
    call("with", "Field.%s, %s".formatted(field.name(), what));
  }

  private void call(String method, String arguments) {
    calls.add(".%s(%s)".formatted(method, arguments));
  }

  private String fallback(Fallback fallback) {
    imports.add("io.postroad.layout.Fallback");
    String text = fallback.text().isEmpty() ? "" : quoted(fallback.text());
    String field = fallback.of().map(each -> "Field." + each.name()).orElse("");
    String between = text.isEmpty() || field.isEmpty() ? "" : ", ";
    return "Fallback.to(%s%s%s)".formatted(text, between, field);
  }

  private String duration(Duration span) {
    imports.add("java.time.Duration");
    if (span.equals(Duration.ofSeconds(span.toSeconds()))) {
      return "Duration.ofSeconds(%d)".formatted(span.toSeconds());
    }
    return "Duration.parse(%s)".formatted(quoted(Objects.toString(span)));
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"' || each == '\\') {
        quoted.append('\\').append(each);
      } else if (each < ' ') {
        quoted.append("\\%03o".formatted((int) each));
      } else {
        quoted.append(each);
      }
    }
    return quoted.append('"').toString();
  }
}
