package io.postroad.adopt.internal;

import io.postroad.adopt.ColumnShape;
import io.postroad.adopt.RowCounter;
import io.postroad.adopt.TableShape;
import io.postroad.layout.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Guesses the columns of fields from their names and kinds. */
public final class ColumnGuess {
  /** Fields for which a wrong guess would send wrong messages, or send them again. */
  private static final Set<Field> MUST_BE_CLEAR = EnumSet.of(Field.PAYLOAD, Field.STATUS);

  private static final Set<Field> LEASE = EnumSet.of(Field.LEASE_OWNER, Field.LEASE_UNTIL);

  private static final Set<String> CATEGORIES = Set.of("command", "reply", "event");

  private final TableShape shape;
  private final RowCounter rows;
  private final Findings findings;
  private final Map<Field, String> columns = new EnumMap<>(Field.class);

  private ColumnGuess(TableShape shape, RowCounter rows, Findings findings) {
    this.shape = shape;
    this.rows = rows;
    this.findings = findings;
  }

  /**
   * Returns the columns by field.
   *
   * @param told columns that a person named
   */
  public static Map<Field, String> run(
      TableShape shape, Map<Field, String> told, RowCounter rows, Findings findings) {
    ColumnGuess guess = new ColumnGuess(shape, rows, findings);
    told.forEach(guess::tell);
    for (Field field : Field.values()) {
      if (!told.containsKey(field)) {
        guess.guess(field);
      }
    }
    return guess.columns;
  }

  private void tell(Field field, String column) {
    check(field, column, shape, findings);
    columns.put(field, column);
  }

  /** Checks that a column that a person named exists and can hold the field. */
  public static void check(Field field, String column, TableShape shape, Findings findings) {
    Optional<ColumnShape> there = shape.column(column);
    if (there.isPresent() && !FieldNames.of(field).fits(there.get())) {
      misfit(field, there.get(), shape, findings);
    } else if (there.isEmpty() && !mayAppearLater(shape)) {
      findings.problem(
          column,
          "was named for the %s but is not there".formatted(field),
          "name one of " + names(shape.columns()));
    }
  }

  /** Whether a field may be missing because a sample of documents does not show every field. */
  private static boolean mayAppearLater(TableShape shape) {
    return shape.form() == TableShape.Form.COLLECTION;
  }

  private void guess(Field field) {
    FieldNames names = FieldNames.of(field);
    List<ColumnShape> named =
        shape.columns().stream()
            .filter(names::knows)
            .filter(each -> !columns.containsValue(each.name()))
            .sorted(Comparator.comparingInt(names::rank))
            .toList();
    List<ColumnShape> fitting = named.stream().filter(names::fits).toList();
    if (field == Field.ID) {
      guessId(named, fitting);
    } else if (LEASE.contains(field)) {
      guessLease(field, fitting);
    } else if (field == Field.HEADERS) {
      leaveHeadersAlone(named);
    } else if (field == Field.CATEGORY && !fitting.isEmpty()) {
      guessCategory(fitting.get(0));
    } else if (fitting.size() > 1) {
      choose(field, fitting);
    } else if (fitting.size() == 1) {
      columns.put(field, fitting.get(0).name());
    } else if (!named.isEmpty()) {
      unfit(field, named.get(0));
    } else if (field == Field.PAYLOAD) {
      findings.problem(
          shape.table(),
          "no %s is named like a payload (%s)"
              .formatted(shape.form().part(), String.join(", ", names.names().subList(0, 5))),
          "say which one it is: .with(Field.PAYLOAD, ...)");
    }
  }

  /** Chooses a column that is unique by itself; a name alone does not make an id. */
  private void guessId(List<ColumnShape> named, List<ColumnShape> fitting) {
    List<ColumnShape> unique =
        new ArrayList<>(fitting.stream().filter(each -> shape.isKey(each.name())).toList());
    if (unique.isEmpty() && named.isEmpty()) {
      unique.addAll(loneKey());
    }
    if (unique.size() > 1) {
      ambiguous(Field.ID, unique);
    } else if (unique.size() == 1) {
      String id = unique.get(0).name();
      columns.put(Field.ID, id);
      remarkOthers(Field.ID, id, fitting.stream().filter(each -> !each.name().equals(id)).toList());
    } else if (!fitting.isEmpty()) {
      findings.problem(
          names(fitting),
          "is not unique by itself, so it cannot be the id",
          "add a primary key or a unique index on it");
    } else if (!named.isEmpty()) {
      misfit(Field.ID, named.get(0), shape, findings);
    } else {
      findings.problem(
          shape.table(),
          "no %s of it is an id: none has the name of one and no key is one column"
              .formatted(shape.form().part()),
          "add an id with a primary key, or say which it is: .with(Field.ID, ...)");
    }
  }

  private List<ColumnShape> loneKey() {
    List<ColumnShape> keys =
        shape.keys().stream()
            .filter(key -> key.size() == 1)
            .flatMap(key -> shape.column(key.get(0)).stream())
            .filter(FieldNames.of(Field.ID)::fits)
            .limit(1)
            .toList();
    keys.forEach(
        key ->
            findings.remark(
                "%s is taken as the id because it is the key, not because of its name"
                    .formatted(key.name())));
    return keys;
  }

  /** Leaves a column alone that could be headers: other text in it would make dead letters. */
  private void leaveHeadersAlone(List<ColumnShape> named) {
    named.forEach(
        each ->
            findings.remark(
                ("%s is left alone: Postroad keeps headers as lines of 'name: value' in a text of"
                        + " its own; messages that are there are sent without their old headers")
                    .formatted(each.name())));
  }

  /**
   * Uses a lease only if it is complete and the store can keep it there. Otherwise it would hide
   * messages that other code works on.
   */
  private void guessLease(Field field, List<ColumnShape> fitting) {
    boolean whole =
        LEASE.stream()
            .allMatch(part -> shape.columns().stream().anyMatch(FieldNames.of(part)::knows));
    if (fitting.isEmpty()) {
      return;
    }
    if (whole && shape.form() == TableShape.Form.COLLECTION) {
      choose(field, fitting);
    } else {
      findings.remark(
          ("%s is left alone: Postroad keeps leases of its own and does not see what your code"
                  + " locks by it; where no word of the status says so too, stop your code before"
                  + " a relay starts")
              .formatted(fitting.get(0).name()));
    }
  }

  private void guessCategory(ColumnShape column) {
    List<String> strange =
        rows.byWord(column.name()).stream()
            .flatMap(each -> each.word().stream())
            .filter(word -> !CATEGORIES.contains(word))
            .sorted()
            .toList();
    if (strange.isEmpty()) {
      columns.put(Field.CATEGORY, column.name());
    } else {
      findings.remark(
          "%s is left alone: a CATEGORY is command, reply or event, and it has %s"
              .formatted(column.name(), strange.get(0)));
    }
  }

  private void choose(Field field, List<ColumnShape> fitting) {
    if (MUST_BE_CLEAR.contains(field)) {
      ambiguous(field, fitting);
      return;
    }
    String chosen = fitting.get(0).name();
    columns.put(field, chosen);
    remarkOthers(field, chosen, fitting.subList(1, fitting.size()));
  }

  private void remarkOthers(Field field, String chosen, List<ColumnShape> others) {
    if (!others.isEmpty()) {
      findings.remark(
          "%s is taken as the %s; %s could be meant too and is left alone: .with(Field.%s, \"%s\")"
              .formatted(
                  chosen, field, String.join(", ", names(others)), field, others.get(0).name()));
    }
  }

  private void ambiguous(Field field, List<ColumnShape> candidates) {
    findings.problem(
        names(candidates),
        "each could be the %s, and a wrong one would do harm".formatted(field),
        "say which one it is: .with(Field.%s, \"%s\")".formatted(field, candidates.get(0).name()));
  }

  private void unfit(Field field, ColumnShape column) {
    if (MUST_BE_CLEAR.contains(field)) {
      misfit(field, column, shape, findings);
    } else {
      findings.remark(
          "%s has the name of the %s but holds %s, not %s; it is left alone"
              .formatted(column.name(), field, column.kind(), kinds(field)));
    }
  }

  private static void misfit(Field field, ColumnShape column, TableShape shape, Findings findings) {
    findings.problem(
        column.name(),
        "holds %s, and the %s must be %s".formatted(column.kind(), field, kinds(field)),
        "change its type, or put the %s into another %s".formatted(field, shape.form().part()));
  }

  private static String kinds(Field field) {
    return FieldNames.of(field).kinds().stream()
        .map(Enum::name)
        .collect(Collectors.joining(" or "));
  }

  private static List<String> names(List<ColumnShape> columns) {
    return columns.stream().map(ColumnShape::name).toList();
  }
}
