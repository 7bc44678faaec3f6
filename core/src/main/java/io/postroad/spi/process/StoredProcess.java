package io.postroad.spi.process;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A process as a store keeps it. Immutable.
 *
 * @param identity the part that never changes
 * @param summary the part that people and queries read
 * @param data the data of the process, a JSON object
 * @param snapshot the exact state of the process, a JSON object that only Postroad reads
 * @param dueAt when the process needs attention next: a timer fires, or a node may have died
 * @param lastSeq the number of its newest log entry
 * @param updatedAt the time of its newest log entry
 */
public record StoredProcess(
    ProcessIdentity identity,
    ProcessSummary summary,
    String data,
    String snapshot,
    Optional<Instant> dueAt,
    long lastSeq,
    Instant updatedAt) {

  public UUID id() {
    return identity.id();
  }

  public String type() {
    return identity.type();
  }

  public String definition() {
    return identity.definition();
  }

  public boolean isActive() {
    return summary.isActive();
  }

  /** Returns the process with another time at which it needs attention. */
  public StoredProcess withDueAt(Optional<Instant> time) {
    return new StoredProcess(identity, summary, data, snapshot, time, lastSeq, updatedAt);
  }
}
