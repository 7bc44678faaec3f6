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

/** Short words for what every test does with processes. */
final class Processes {
  static final String TYPE = "SimplePayment";

  private Processes() {}

  /** The entries of a log with these numbers. */
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

  /** All entries of its log. */
  static List<ProcessLogEntry> log(StoredProcess process) {
    return log(process, 1, process.lastSeq());
  }

  /** Starts it in a unit of its own. */
  static Optional<UUID> start(ProcessStore<Object> store, StoredProcess process) {
    List<ProcessLogEntry> log = log(process);
    return store
        .transactions()
        .<Optional<UUID>, RuntimeException>call(
            transaction -> store.processes().start(transaction, process, log));
  }

  /** Starts it, and says what was started. */
  static StoredProcess started(ProcessStore<Object> store, ProcessSample sample) {
    StoredProcess process = sample.build();
    if (start(store, process).isPresent()) {
      throw new AssertionError("process " + process.id() + " was not started");
    }
    return process;
  }

  /** Locks a process and saves it changed, with one more log entry, in a unit of its own. */
  static StoredProcess change(
      ProcessStore<Object> store, UUID id, UnaryOperator<ProcessSample> how) {
    return store
        .transactions()
        .<StoredProcess, RuntimeException>call(
            transaction -> change(store, transaction, lock(store, transaction, id), how));
  }

  /** Saves a locked process changed, with one more log entry. */
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
        .processes().lock(transaction, id)
        .orElseThrow(() -> new AssertionError("process " + id + " is gone"));
  }

  /** Locks what is due and puts its timer out, in a unit of its own. */
  static Optional<UUID> fire(ProcessStore<Object> store) {
    return store
        .transactions()
        .<Optional<UUID>, RuntimeException>call(
            transaction ->
                store
                    .processes().lockDue(transaction)
                    .map(due -> change(store, transaction, due, ProcessSample::noTimer).id()));
  }

  static StoredProcess find(ProcessStore<Object> store, UUID id) {
    return store.queries().find(id).orElseThrow(() -> new AssertionError("process " + id + " is gone"));
  }

  /** The whole log. */
  static List<ProcessLogEntry> logOf(ProcessStore<Object> store, UUID id) {
    return store.queries().log(id, 0, ProcessStore.MAX_ROWS);
  }
}
