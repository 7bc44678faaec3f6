package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessLogRepository;
import io.postroad.process.ProcessRepository;
import io.postroad.spi.ProcessFilter;
import io.postroad.spi.ProcessLogEntry;
import io.postroad.spi.ProcessStore;
import io.postroad.spi.ProcessStore.Locked;
import io.postroad.spi.StoredProcess;
import io.postroad.transaction.Transactions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads processes and their logs. Safe to use from many threads. */
public final class Repositories<T> implements ProcessRepository, ProcessLogRepository {
  private final ProcessStore<T> store;
  private final Transactions<T> transactions;
  private final ProcessCodec codec;

  public Repositories(ProcessStore<T> store, Transactions<T> transactions, ProcessCodec codec) {
    this.store = store;
    this.transactions = transactions;
    this.codec = codec;
  }

  @Override
  public Optional<ProcessInstance> findById(UUID processId) {
    return store.find(processId).map(codec::instance);
  }

  @Override
  public List<ProcessInstance> findByBusinessKey(String processType, String businessKey) {
    return list(
        ProcessFilter.all().withType(processType).withBusinessKey(businessKey),
        ProcessStore.MAX_ROWS);
  }

  @Override
  public List<ProcessInstance> list(ProcessFilter filter, int limit) {
    return store.list(filter, limit).stream().map(codec::instance).toList();
  }

  @Override
  public void update(ProcessInstance instance, ProcessEvent event) {
    transactions.run(
        transaction -> {
          Locked locked =
              store
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
    Instant next = known.updatedAt().plus(store.tick());
    Instant at = next.isAfter(locked.now()) ? next : locked.now();
    long seq = known.lastSeq() + 1;
    StoredProcess updated =
        new StoredProcess(
            known.id(),
            known.type(),
            known.businessKey(),
            known.isUnique(),
            instance.status().name(),
            instance.status().isActive(),
            instance.currentStep(),
            codec.encode(instance.data()),
            instance.retries(),
            known.definition(),
            known.isPaused(),
            known.failureKind(),
            known.failure(),
            known.snapshot(),
            known.dueAt(),
            seq,
            known.createdAt(),
            at);
    store.save(transaction, updated, List.of(codec.entry(known.id(), new Logged(event, seq, at))));
  }

  @Override
  public List<ProcessEvent> findByProcessId(UUID processId) {
    List<ProcessEvent> events = new ArrayList<>();
    List<ProcessLogEntry> page = store.log(processId, 0, ProcessStore.MAX_ROWS);
    while (!page.isEmpty()) {
      page.forEach(entry -> events.add(codec.event(entry)));
      page = store.log(processId, page.get(page.size() - 1).seq(), ProcessStore.MAX_ROWS);
    }
    return events;
  }
}
