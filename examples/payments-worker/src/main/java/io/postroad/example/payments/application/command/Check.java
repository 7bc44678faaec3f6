package io.postroad.example.payments.application.command;

import io.postroad.example.payments.domain.model.Money;
import org.jspecify.annotations.Nullable;

/** Checks the fields of commands, because JSON can leave out any of them. */
final class Check {
  private Check() {}

  static void required(String name, @Nullable Object value) {
    that(value != null, name + " is required");
  }

  static void positive(String name, @Nullable Money value) {
    that(value != null && value.isPositive(), name + " must be positive");
  }

  static void that(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
