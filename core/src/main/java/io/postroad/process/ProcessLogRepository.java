package io.postroad.process;

import java.util.List;
import java.util.UUID;

/** Reads the logs of processes. Safe to use from many threads; sees what is committed. */
public interface ProcessLogRepository {

  /** What happened to a process, in order; empty when there is none. */
  List<ProcessEvent> findByProcessId(UUID processId);
}
