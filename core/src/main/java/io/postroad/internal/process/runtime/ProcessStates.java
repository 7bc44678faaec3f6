package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.CurrentStep;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses;
import io.postroad.spi.process.StoredProcesses.Locked;
import io.postroad.transaction.Transactions;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads and writes the states of processes in a store. Safe to use from many threads.
 *
 * @param transactions those of the application's framework, or of the store
 * @param codec converts a state to the texts of the store
 */
public record ProcessStates<T>(
    ProcessStore<T> store, Transactions<T> transactions, ProcessCodec codec) {

  StoredProcesses<T> processes() {
    return store.processes();
  }

  public Optional<ProcessState> find(UUID id) {
    return store.queries().find(id).map(codec::state);
  }

  StoredProcess stored(Engine engine, ProcessState state) {
    return codec.stored(state, CurrentStep.of(engine.graph(), state));
  }

  /** Saves a locked process after these events. */
  void save(T transaction, StoredProcess process, List<Logged> events) {
    processes().save(transaction, process, codec.entries(process.id(), events));
  }

  /** Saves a locked process that was changed without an event. */
  void saveChanged(T transaction, Locked locked, ProcessState changed) {
    processes().save(transaction, codec.changed(locked.process(), changed), List.of());
  }
}
