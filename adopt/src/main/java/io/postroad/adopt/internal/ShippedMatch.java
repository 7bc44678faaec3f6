package io.postroad.adopt.internal;

import io.postroad.adopt.TableShape;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the shipped layout whose columns a table has. */
public final class ShippedMatch {
  /** Fields that documents get later, so a sample may lack them. */
  private static final Set<Field> WRITTEN_LATER =
      EnumSet.of(
          Field.DUE_AT, Field.LEASE_OWNER, Field.LEASE_UNTIL, Field.LAST_ERROR, Field.SETTLED_AT);

  private ShippedMatch() {}

  /** Returns the layout with the most columns, of those whose columns are all there. */
  public static Optional<Layout> find(List<Layout> shipped, TableShape shape) {
    return shipped.stream()
        .filter(layout -> hasColumnsOf(layout, shape))
        .filter(layout -> layout.column(Field.STATUS).isPresent() || !tellsDelivery(shape))
        .max(Comparator.comparingInt(layout -> layout.columns().size()))
        .map(layout -> layout.withTable(shape.table()));
  }

  private static boolean hasColumnsOf(Layout layout, TableShape shape) {
    return layout.columns().entrySet().stream()
        .allMatch(
            each ->
                shape
                    .column(each.getValue())
                    .map(FieldNames.of(each.getKey())::fits)
                    .orElse(mayBeMissing(each.getKey(), shape)));
  }

  private static boolean mayBeMissing(Field field, TableShape shape) {
    return shape.form() == TableShape.Form.COLLECTION && WRITTEN_LATER.contains(field);
  }

  private static boolean tellsDelivery(TableShape shape) {
    return shape.columns().stream()
        .anyMatch(each -> FieldNames.of(Field.STATUS).knows(each) || FieldNames.isMark(each));
  }
}
