package io.postroad.example.payments.infrastructure.web;

import io.postroad.process.ProcessAlreadyActiveException;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessRepository;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Starts a process for an id that clients choose: an id is used once, so that a request whose
 * answer was lost can be sent again and does nothing twice.
 */
@Singleton
final class Processes {
  private final ProcessManager<Connection> manager;
  private final ProcessRepository repository;

  Processes(ProcessManager<Connection> manager, ProcessRepository repository) {
    this.manager = manager;
    this.repository = repository;
  }

  /**
   * Starts it, in a transaction of its own.
   *
   * <p>Two requests at once may both pass the first look if one of their processes ends in between;
   * the second then finds everything done under its id, and does nothing.
   *
   * @param isThere whether what the process makes exists: processes are forgotten after a while
   * @throws ProblemException when the id was used before
   */
  UUID start(
      String type, String field, UUID id, Map<String, Object> data, BooleanSupplier isThere) {
    String businessKey = id.toString();
    if (isThere.getAsBoolean() || !repository.findByBusinessKey(type, businessKey).isEmpty()) {
      throw ProblemException.conflict(field, "was used before");
    }
    try {
      return manager.startProcess(type, businessKey, data);
    } catch (ProcessAlreadyActiveException active) {
      throw ProblemException.conflict(field, "was used before");
    }
  }
}
