package io.postroad.benchmarks.pickup;

import java.util.Locale;

/** A kind of work that a node holds with a lease. */
enum PickupKind {
  LANE,
  COMMAND,
  STEP;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
