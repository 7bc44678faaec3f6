package io.postroad.framework.internal.settings;

import io.postroad.schema.SchemaMode;
import java.time.Duration;

/** The properties {@code postroad.store.*} that both databases and both frameworks have. */
public interface StoreSettings {
  String schema();

  String prefix();

  SchemaMode schemaMode();

  int lanes();

  Duration operationTimeout();

  Duration rerunFor();

  /** Returns whether new messages wake up the relays of other nodes. */
  boolean wakesOtherNodes();
}
