package io.postroad.adopt;

import io.postroad.adopt.Recognition.NotRecognised;
import io.postroad.adopt.Recognition.Origin;
import io.postroad.adopt.Recognition.Recognised;
import io.postroad.adopt.internal.ColumnGuess;
import io.postroad.adopt.internal.FieldNames;
import io.postroad.adopt.internal.Findings;
import io.postroad.adopt.internal.Fit;
import io.postroad.adopt.internal.PayloadGuess;
import io.postroad.adopt.internal.ShippedMatch;
import io.postroad.adopt.internal.StatusGuess;
import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.layout.Statuses;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Recognises the layout of a table or collection that a team already has: one of {@link Layouts} by
 * its columns, otherwise a guess from usual names. Immutable; reads only its arguments.
 *
 * <p>Refuses to guess where a wrong guess would do harm: the id, the payload, the status and its
 * words must be clear. All other guesses become remarks. A person can name columns:
 *
 * <pre>{@code
 * Recogniser.ofTables()
 *     .with(Field.ID, "event_id")
 *     .with(Field.DESTINATION, Fallback.to("orders"))
 * }</pre>
 */
public final class Recogniser {
  private static final Statuses OUR_WORDS = Statuses.of("PENDING", "DISPATCHED", "FAILED");

  private final List<Layout> shipped;
  private final Map<Field, String> told;
  private final Map<Field, Fallback> toldFallbacks;

  private Recogniser(
      List<Layout> shipped, Map<Field, String> told, Map<Field, Fallback> toldFallbacks) {
    this.shipped = shipped;
    this.told = told;
    this.toldFallbacks = toldFallbacks;
  }

  /** Creates a recogniser of tables. */
  public static Recogniser ofTables() {
    return new Recogniser(Layouts.ofTables(), Map.of(), Map.of());
  }

  /** Creates a recogniser of collections. */
  public static Recogniser ofCollections() {
    return new Recogniser(Layouts.ofCollections(), Map.of(), Map.of());
  }

  /** Returns the same with the column of a field; the layout is then a guess around it. */
  public Recogniser with(Field field, String column) {
    Map<Field, String> more = new EnumMap<>(Field.class);
    more.putAll(told);
    more.put(field, column);
    return new Recogniser(shipped, more, toldFallbacks);
  }

  /** Returns the same with the value of a field for rows without one. */
  public Recogniser with(Field field, Fallback fallback) {
    Map<Field, Fallback> more = new EnumMap<>(Field.class);
    more.putAll(toldFallbacks);
    more.put(field, fallback);
    return new Recogniser(shipped, told, more);
  }

  /**
   * Compares a layout that a person wrote or changed with its table.
   *
   * @param shape the shape of the layout's table
   */
  public static Recognition check(Layout layout, TableShape shape, RowCounter rows) {
    Findings findings = new Findings();
    layout.columns().forEach((field, column) -> ColumnGuess.check(field, column, shape, findings));
    List<WordRows> counts = count(layout, shape, rows, findings);
    counts.stream()
        .flatMap(each -> each.word().stream())
        .filter(word -> !layout.statuses().all().contains(word))
        .forEach(
            word ->
                findings.problem(
                    layout.columnOrAdded(Field.STATUS),
                    "rows have '%s', which the layout does not know".formatted(word),
                    "give it a meaning: .withStatuses(...)"));
    Fit.check(layout, shape, findings);
    return findings.problems().isEmpty()
        ? new Recognised(layout.checked(), Origin.TOLD, counts, findings.remarks())
        : new NotRecognised(findings.problems(), layout.columns(), findings.remarks());
  }

  /** Recognises the layout of this table or collection. */
  public Recognition recognise(TableShape shape, RowCounter rows) {
    Findings findings = new Findings();
    if (shape.columns().isEmpty()) {
      findings.problem(
          shape.table(),
          "the %s is not there or empty, so nothing of it can be recognised"
              .formatted(shape.form().noun()),
          "check the name, or write the layout in code");
      return new NotRecognised(findings.problems(), Map.of(), List.of());
    }
    Optional<Layout> known = told.isEmpty() ? ShippedMatch.find(shipped, shape) : Optional.empty();
    Layout columns = known.orElseGet(() -> guess(shape, rows, findings));
    List<WordRows> counts = count(columns, shape, rows, findings);
    boolean wordsKnown = known.isPresent() && hasWords(columns.statuses(), counts);
    Layout words = wordsKnown ? columns : withWords(columns, shape, counts, findings);
    Layout layout = withToldFallbacks(PayloadGuess.apply(words, shape));
    Fit.check(layout, shape, findings);
    findings.remark(
        "a message is tried %d times before it is a dead letter; if your limit is another one:"
                .formatted(layout.executions())
            + " .withExecutions(...)");
    if (!findings.problems().isEmpty()) {
      return new NotRecognised(findings.problems(), layout.columns(), findings.remarks());
    }
    Origin origin = known.isPresent() ? Origin.SHIPPED : Origin.GUESSED;
    return new Recognised(layout.checked(), origin, counts, findings.remarks());
  }

  private Layout guess(TableShape shape, RowCounter rows, Findings findings) {
    String name = shape.table().substring(shape.table().lastIndexOf('.') + 1);
    Layout layout = Layout.of(name, shape.table(), OUR_WORDS);
    for (var each : ColumnGuess.run(shape, told, rows, findings).entrySet()) {
      layout = layout.with(each.getKey(), each.getValue());
    }
    remarkOnNumbers(layout, findings);
    return withUsualFallbacks(layout);
  }

  private static Layout withUsualFallbacks(Layout layout) {
    if (layout.column(Field.AGGREGATE_ID).isEmpty()) {
      return layout;
    }
    Layout keyed =
        layout.column(Field.KEY).isPresent()
            ? layout
            : layout.with(Field.KEY, Fallback.to(Field.AGGREGATE_ID));
    return keyed.column(Field.AGGREGATE_TYPE).isPresent()
        ? keyed
        : keyed.with(Field.AGGREGATE_TYPE, Fallback.to(Field.DESTINATION));
  }

  private Layout withToldFallbacks(Layout layout) {
    Layout more = layout;
    for (var each : toldFallbacks.entrySet()) {
      more = more.with(each.getKey(), each.getValue());
    }
    return more;
  }

  private static void remarkOnNumbers(Layout layout, Findings findings) {
    layout
        .column(Field.ATTEMPTS)
        .ifPresent(
            column ->
                findings.remark(
                    ("%s is taken to count failures; if your code counts a try when it begins:"
                            + " .withCounting(Counting.AT_CLAIM)")
                        .formatted(column)));
    layout
        .column(Field.SCHEMA_VERSION)
        .filter(column -> FieldNames.plain(column).equals("version"))
        .ifPresent(
            column ->
                findings.remark(
                    ("%s is taken as the version of the message's schema; if it counts changes of"
                            + " the row, leave Field.SCHEMA_VERSION out")
                        .formatted(column)));
  }

  /** Counts the rows by status; without a status, every row counts as undelivered. */
  private static List<WordRows> count(
      Layout layout, TableShape shape, RowCounter rows, Findings findings) {
    Optional<String> status = layout.column(Field.STATUS);
    if (status.isPresent()) {
      return shape.has(status.get()) ? rows.byWord(status.get()) : List.of();
    }
    Optional<ColumnShape> ours = shape.column(Field.STATUS.addedName());
    if (ours.isPresent()) {
      return rows.byWord(ours.get().name());
    }
    if (shape.columns().stream().anyMatch(FieldNames.of(Field.STATUS)::knows)) {
      return List.of();
    }
    Optional<ColumnShape> similar =
        shape.columns().stream().filter(FieldNames::isLikeAStatus).findFirst();
    if (similar.isPresent()) {
      findings.problem(
          similar.get().name(),
          "may be the status, which nothing else tells",
          "if it is: Recogniser.with(Field.STATUS, \"%s\"); if not, and all rows are to be sent, write the layout by hand"
              .formatted(similar.get().name()));
      return List.of();
    }
    Optional<ColumnShape> mark = shape.columns().stream().filter(FieldNames::isMark).findFirst();
    if (mark.isPresent()) {
      refuse(mark.get(), findings);
      return List.of();
    }
    long all = rows.all();
    findings.remark(
        ("nothing in the %s says what was delivered: all its rows (%d) count as pending; if they"
                + " were sent already: .withRowsAreDelivered(true)")
            .formatted(shape.form().noun(), all));
    return all == 0 ? List.of() : List.of(WordRows.without(all));
  }

  private static void refuse(ColumnShape mark, Findings findings) {
    String sign = mark.kind() == ColumnKind.BOOLEAN ? "by yes or no" : "by a time";
    findings.problem(
        mark.name(),
        "tells only %s what was delivered, which leaves no place for a dead letter".formatted(sign),
        "add a text column 'status', 'SENT' where it was delivered and 'PENDING' elsewhere, and"
            + " let your code write it");
  }

  private static boolean hasWords(Statuses statuses, List<WordRows> counts) {
    return counts.stream()
        .allMatch(each -> each.word().map(statuses.all()::contains).orElse(false));
  }

  private static Layout withWords(
      Layout layout, TableShape shape, List<WordRows> counts, Findings findings) {
    return layout
        .column(Field.STATUS)
        .flatMap(shape::column)
        .flatMap(
            status -> StatusGuess.run(status, counts, layout.column(Field.SETTLED_AT), findings))
        .map(layout::withStatuses)
        .orElse(layout);
  }
}
