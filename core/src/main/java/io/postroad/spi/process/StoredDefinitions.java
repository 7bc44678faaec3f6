package io.postroad.spi.process;

import java.time.Instant;
import java.util.Optional;

/** The role of a {@link ProcessStore} that keeps the definitions of processes. */
public interface StoredDefinitions {

  /**
   * Stores a definition, or notes that it is still used. It is the newest of its type from now on.
   *
   * @throws io.postroad.message.PostroadException when another graph has this hash
   */
  void keep(StoredDefinition definition);

  /** Returns the definition of this type with this hash. */
  Optional<StoredDefinition> find(String type, String hash);

  /** Returns when the definition of this type with this hash was stored first. */
  Optional<Instant> keptSince(String type, String hash);
}
