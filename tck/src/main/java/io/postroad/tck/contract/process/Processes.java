package io.postroad.tck.contract.process;

import io.postroad.message.MessageIds;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses.Locked;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** Helpers of the process contracts. */
final class Processes {
  static final String TYPE = "SimplePayment";

  private Processes() {}

  /** Returns the entries of a log with these numbers. */
  static List<ProcessLogEntry> log(StoredProcess process, long first, long last) {
    return LongStream.rangeClosed(first, last)
        .mapToObj(
            seq ->
                new ProcessLogEntry(
                    MessageIds.next(),
                    process.id(),
                    seq,
                    seq == 1 ? "ProcessStarted" : "StepCompleted",
                    seq == 1 ? Optional.empty() : Optional.of("Step" + seq),
                    "{\"seq\":" + seq + "}",
                    process.updatedAt()))
        .toList();
  }

  /** Returns all entries of its log. */
  static List<ProcessLogEntry> log(StoredProcess process) {
    return log(process, 1, process.lastSeq());
  }

  /** Starts a process in a transaction of its own. */
  static Optional<UUID> start(ProcessStore<Object> store, StoredProcess process) {
    List<ProcessLogEntry> log = log(process);
    return store
        .transactions()
        .<Optional<UUID>, RuntimeException>call(
            transaction -> store.processes().start(transaction, process, log));
  }

  /** Starts a process and returns it. */
  static StoredProcess started(ProcessStore<Object> store, ProcessSample sample) {
    StoredProcess process = sample.build();
    if (start(store, process).isPresent()) {
      throw new AssertionError("process " + process.id() + " was not started");
    }
    return process;
  }

  /** Locks and changes a process with one more log entry, in a transaction of its own. */
  static StoredProcess change(
      ProcessStore<Object> store, UUID id, UnaryOperator<ProcessSample> how) {
    return store
        .transactions()
        .<StoredProcess, RuntimeException>call(
            transaction -> change(store, transaction, lock(store, transaction, id), how));
  }

  /** Changes a locked process with one more log entry. */
  static StoredProcess change(
      ProcessStore<Object> store,
      Object transaction,
      Locked locked,
      UnaryOperator<ProcessSample> how) {
    StoredProcess before = locked.process();
    Instant next = before.updatedAt().plus(store.tick());
    ProcessSample sample =
        ProcessSample.from(before)
            .lastSeq(before.lastSeq() + 1)
            .updated(locked.now().isAfter(next) ? locked.now() : next);
    StoredProcess after = how.apply(sample).build();
    store.processes().save(transaction, after, log(after, after.lastSeq(), after.lastSeq()));
    return after;
  }

  static Locked lock(ProcessStore<Object> store, Object transaction, UUID id) {
    return store
        .processes()
        .lock(transaction, id)
        .orElseThrow(() -> new AssertionError("process " + id + " is gone"));
  }

  /** Locks a due process and removes its timer, in a transaction of its own. */
  static Optional<UUID> fire(ProcessStore<Object> store) {
    return store
        .transactions()
        .<Optional<UUID>, RuntimeException>call(
            transaction ->
                store
                    .processes()
                    .lockDue(transaction)
                    .map(due -> change(store, transaction, due, ProcessSample::noTimer).id()));
  }

  static StoredProcess find(ProcessStore<Object> store, UUID id) {
    return store
        .queries()
        .find(id)
        .orElseThrow(() -> new AssertionError("process " + id + " is gone"));
  }

  /** Returns the whole log. */
  static List<ProcessLogEntry> logOf(ProcessStore<Object> store, UUID id) {
    return store.queries().log(id, 0, ProcessStore.MAX_ROWS);
  }
}
