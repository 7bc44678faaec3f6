package io.postroad.internal.layout;

import io.postroad.layout.ColumnKind;
import io.postroad.layout.ColumnShape;
import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.PayloadForm;
import io.postroad.layout.TableShape;
import java.util.Optional;

/** Tells from the kind of its column how a payload is kept. */
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
