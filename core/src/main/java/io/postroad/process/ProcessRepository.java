package io.postroad.process;

import io.postroad.spi.process.ProcessFilter;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds processes. Safe to use from many threads; sees committed data only. */
public interface ProcessRepository {

  /** Returns a process. */
  Optional<ProcessInstance> findById(UUID processId);

  /** Returns the processes with this business key, by id. */
  List<ProcessInstance> findByBusinessKey(String processType, String businessKey);

  /**
   * Returns some processes, by id.
   *
   * @param limit 1 to 10,000
   */
  List<ProcessInstance> list(ProcessFilter filter, int limit);

  /**
   * Repairs a process by hand: writes status, step, data and retries of the instance, and the event
   * to its log, in the current transaction or in one of its own. Does not change the states of
   * single steps; use {@link ProcessManager} for everything but repairs.
   *
   * @throws IllegalArgumentException when the process does not exist
   */
  void update(ProcessInstance instance, ProcessEvent event);
}
