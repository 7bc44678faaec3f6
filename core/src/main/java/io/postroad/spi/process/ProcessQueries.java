package io.postroad.spi.process;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The role of a {@link ProcessStore} that reads. Each method sees committed processes only. */
public interface ProcessQueries {

  /** Returns a process. */
  Optional<StoredProcess> find(UUID id);

  /**
   * Returns some processes, ordered by the text of their ids.
   *
   * @param limit 1 to {@link ProcessStore#MAX_ROWS}
   */
  List<StoredProcess> list(ProcessFilter filter, int limit);

  /** Returns the number of processes by status. */
  Map<String, Long> counts();

  /** Returns the number of active processes of a type by the hash of their definition. */
  Map<String, Long> activeByDefinition(String type);

  /**
   * Returns the log of a process in order.
   *
   * @param afterSeq returns entries with a higher number; 0 for all
   * @param limit 1 to {@link ProcessStore#MAX_ROWS}
   */
  List<ProcessLogEntry> log(UUID processId, long afterSeq, int limit);
}
