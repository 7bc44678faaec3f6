package io.postroad.process;

import io.postroad.command.Carrying;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandRequest;
import io.postroad.process.ProcessState.Carried;
import io.postroad.store.ChangedMeanwhileException;
import io.postroad.store.ProcessStore;
import io.postroad.store.ProcessStore.Locked;
import io.postroad.store.StoredProcess;
import io.postroad.store.Transactions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The command of a step that a node goes on with at once is not written: the process says that it
 * is carried, by whom and until when. What is found after that time gets its row here, and any node
 * may take it. Safe to use from many threads.
 *
 * <p>Whoever still carries it then cannot end it: its end is the row.
 */
final class Carrier<T> {
  /** The time of what is carried is longer than its lease by one such part: see {@link #until}. */
  private static final int PARTS = 4;

  private final ProcessStore<T> store;
  private final Transactions<T> transactions;
  private final CommandBus<T> bus;
  private final Definitions<T> definitions;
  private final ProcessTexts texts;
  private final ProcessNews news;
  private final Outgoing<T> outgoing;

  Carrier(
      ProcessStore<T> store,
      Transactions<T> transactions,
      CommandBus<T> bus,
      Definitions<T> definitions,
      ProcessTexts texts,
      ProcessNews news,
      Outgoing<T> outgoing) {
    this.store = store;
    this.transactions = transactions;
    this.bus = bus;
    this.definitions = definitions;
    this.texts = texts;
    this.news = news;
    this.outgoing = outgoing;
  }

  /** Whether what a process sends can be carried: the only thing that it goes on with. */
  Optional<Carrying> carrying(
      T transaction, ProcessState state, List<Effect.Send> sends, Outgoing<T>.Requests requests) {
    return sends.size() == 1 && !sends.get(0).isUndo() && RecentStates.isSingle(state)
        ? bus.carry(transaction, requests.of(sends.get(0)))
        : Optional.empty();
  }

  /** The state after a turn: with what is carried from now on, or still. */
  static ProcessState carried(
      ProcessState state, List<Effect.Send> sends, Optional<Carrying> carrying, Instant now) {
    return carrying.isPresent()
        ? state.with(
            Optional.of(
                new Carried(
                    sends.get(0).command(),
                    carrying.get().node(),
                    until(state, carrying.get(), now))))
        : state.with(state.carried().filter(carried -> isOpen(state, carried)));
  }

  /** It is in an index, so it stays as it was for as long as that lasts for the next step. */
  private static Instant until(ProcessState state, Carrying carrying, Instant now) {
    Instant least = now.plus(carrying.leaseFor());
    return state
        .carried()
        .map(Carried::until)
        .filter(known -> !known.isBefore(least))
        .orElseGet(() -> least.plus(carrying.leaseFor().dividedBy(PARTS)));
  }

  private static boolean isOpen(ProcessState state, Carried carried) {
    return state.status().isActive()
        && state.all().stream().anyMatch(mark -> mark.running().contains(carried.command()));
  }

  /** Whether what is carried was not done in time. */
  boolean isAdrift(Locked locked) {
    return texts
        .state(locked.process())
        .carried()
        .filter(carried -> !carried.until().isAfter(locked.now()))
        .isPresent();
  }

  /**
   * Has a row for what a process says is carried. The command comes first and the process last, as
   * with whoever still carries it, so that neither waits for the other.
   */
  void write(UUID process) {
    Optional<ProcessState> found = store.find(process).map(texts::state);
    Optional<Carried> carried = found.flatMap(ProcessState::carried);
    if (carried.isEmpty()) {
      return;
    }
    CommandRequest request = request(found.get(), carried.get());
    try {
      boolean isWritten =
          transactions.call(transaction -> write(transaction, found.get(), request));
      if (isWritten) {
        news.taken(process, carried.get());
      }
    } catch (ChangedMeanwhileException moved) {
      // It was done after all, just now.
    }
  }

  private boolean write(T transaction, ProcessState known, CommandRequest request) {
    Carried carried = known.carried().orElseThrow();
    boolean isWritten = bus.writeCarried(transaction, request, carried.node());
    Optional<StoredProcess> locked = store.lock(transaction, known.id()).map(Locked::process);
    Optional<ProcessState> state =
        locked.map(texts::state).filter(now -> now.carried().equals(known.carried()));
    if (state.isPresent()) {
      store.save(transaction, texts.notCarried(locked.get(), state.get()), List.of());
    } else if (isWritten) {
      throw ChangedMeanwhileException.ofProcess(known.id(), known.seq());
    }
    return isWritten;
  }

  private CommandRequest request(ProcessState state, Carried carried) {
    Engine engine = definitions.engine(state.type(), state.definition());
    return outgoing.request(
        engine, state, engine.again(state, carried.command()), state.updatedAt());
  }
}
