package io.postroad.adopt.internal;

import io.postroad.adopt.ColumnKind;
import io.postroad.adopt.ColumnShape;
import io.postroad.adopt.TableShape;
import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.PayloadForm;
import java.util.Optional;

/** Guesses the form of payloads from the kind of their column. */
public final class PayloadGuess {
  private PayloadGuess() {}

  public static Layout apply(Layout layout, TableShape shape) {
    Optional<ColumnKind> kind =
        layout.column(Field.PAYLOAD).flatMap(shape::column).map(ColumnShape::kind);
    if (kind.isEmpty()) {
      return layout;
    }
    return switch (kind.get()) {
      case JSON -> layout.withPayload(PayloadForm.JSON);
      case TEXT ->
          layout.payload() == PayloadForm.BASE64 ? layout : layout.withPayload(PayloadForm.TEXT);
      case BYTES -> ofBytes(layout.withPayload(PayloadForm.BYTES));
      default -> layout;
    };
  }

  private static Layout ofBytes(Layout layout) {
    return layout.column(Field.CONTENT_TYPE).isPresent()
        ? layout
        : layout.with(Field.CONTENT_TYPE, Fallback.to("application/octet-stream"));
  }
}
