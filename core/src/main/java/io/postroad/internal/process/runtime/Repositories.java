package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessLogRepository;
import io.postroad.process.ProcessRepository;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessQueries;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.ProcessSummary;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses.Locked;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads processes and their logs for applications. Safe to use from many threads. */
public final class Repositories<T> implements ProcessRepository, ProcessLogRepository {
  private final ProcessStates<T> states;
  private final ProcessQueries queries;
  private final ProcessCodec codec;

  public Repositories(ProcessStates<T> states) {
    this.states = states;
    this.queries = states.store().queries();
    this.codec = states.codec();
  }

  @Override
  public Optional<ProcessInstance> findById(UUID processId) {
    return queries.find(processId).map(codec::instance);
  }

  @Override
  public List<ProcessInstance> findByBusinessKey(String processType, String businessKey) {
    return list(
        ProcessFilter.all().withType(processType).withBusinessKey(businessKey),
        ProcessStore.MAX_ROWS);
  }

  @Override
  public List<ProcessInstance> list(ProcessFilter filter, int limit) {
    return queries.list(filter, limit).stream().map(codec::instance).toList();
  }

  @Override
  public void update(ProcessInstance instance, ProcessEvent event) {
    states
        .transactions()
        .run(
            transaction -> {
              Locked locked =
                  states
                      .processes()
                      .lock(transaction, instance.processId())
                      .orElseThrow(
                          () ->
                              new IllegalArgumentException(
                                  "there is no process " + instance.processId()));
              write(transaction, locked, instance, event);
            });
  }

  private void write(T transaction, Locked locked, ProcessInstance instance, ProcessEvent event) {
    StoredProcess known = locked.process();
    Instant next = known.updatedAt().plus(states.store().tick());
    Instant at = next.isAfter(locked.now()) ? next : locked.now();
    long seq = known.lastSeq() + 1;
    ProcessSummary summary =
        new ProcessSummary(
            instance.status().name(),
            instance.status().isActive(),
            known.summary().isPaused(),
            instance.currentStep(),
            instance.retries(),
            known.summary().failureKind(),
            known.summary().failure());
    String data = codec.encode(instance.data());
    StoredProcess updated =
        new StoredProcess(
            known.identity(), summary, data, known.snapshot(), known.dueAt(), seq, at);
    states.save(transaction, updated, List.of(new Logged(event, seq, at)));
  }

  @Override
  public List<ProcessEvent> findByProcessId(UUID processId) {
    List<ProcessEvent> events = new ArrayList<>();
    List<ProcessLogEntry> page = queries.log(processId, 0, ProcessStore.MAX_ROWS);
    while (!page.isEmpty()) {
      page.forEach(entry -> events.add(codec.event(entry)));
      page = queries.log(processId, page.get(page.size() - 1).seq(), ProcessStore.MAX_ROWS);
    }
    return events;
  }
}
