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
 * Starts a process for an id that the client chooses. An id is used once, so that a client can
 * safely repeat a request after a lost answer.
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
   * Starts a process in its own transaction.
   *
   * <p>Two concurrent requests may both pass the first check if one of their processes ends in
   * between. The second process then finds all steps done under its id, and changes nothing.
   *
   * @param isThere whether the result of the process exists; finished processes are removed after a
   *     while
   * @throws ProblemException if the id was used before
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
