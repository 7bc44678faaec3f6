package io.postroad.process;

import io.postroad.spi.ProcessFilter;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds processes. Safe to use from many threads; sees what is committed. */
public interface ProcessRepository {

  /** The process as it stands. */
  Optional<ProcessInstance> findById(UUID processId);

  /** Those with this business key, by id. */
  List<ProcessInstance> findByBusinessKey(String processType, String businessKey);

  /**
   * Some processes, by id.
   *
   * @param limit 1 to 10,000
   */
  List<ProcessInstance> list(ProcessFilter filter, int limit);

  /**
   * Writes down a process that is moved by hand, and why: status, step, data and retries of the
   * instance, and the event in its log, in the current unit of work or in one of its own. Where it
   * stands in detail is not changed, so this is for repairs; what moves processes is {@link
   * ProcessManager}.
   *
   * @throws IllegalArgumentException when there is no such process
   */
  void update(ProcessInstance instance, ProcessEvent event);
}
