package io.postroad.process;

import java.util.List;
import java.util.UUID;

/** Reads the logs of processes. Safe to use from many threads; sees committed data only. */
public interface ProcessLogRepository {

  /** Returns the events of a process in order; empty when it does not exist. */
  List<ProcessEvent> findByProcessId(UUID processId);
}
