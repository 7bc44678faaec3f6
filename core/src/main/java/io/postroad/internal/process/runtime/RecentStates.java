package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.ProcessState;
import io.postroad.spi.process.StoredProcess;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the states of a few processes that this node changed last, so that the next step needs
 * no read. One process may push out another. Safe to use from many threads.
 */
final class RecentStates {
  /** Many more than threads of a node; together with {@link #MOST_TEXT} a bound on the memory. */
  private static final int PLACES = 256;

  /** The longest text that is remembered; a read costs little compared to longer ones. */
  private static final int MOST_TEXT = 16_384;

  private final AtomicReferenceArray<@Nullable ProcessState> places =
      new AtomicReferenceArray<>(PLACES);

  /**
   * Remembers a process that waits for a single command. One with parallel branches is changed by
   * other threads all the time.
   */
  void remember(ProcessState state, StoredProcess stored) {
    if (state.isSingle() && stored.data().length() + stored.snapshot().length() <= MOST_TEXT) {
      places.set(place(state.id()), state);
    }
  }

  /** Returns and forgets the state of a process. */
  Optional<ProcessState> take(UUID process) {
    int place = place(process);
    @Nullable ProcessState known = places.get(place);
    return known != null && known.id().equals(process) && places.compareAndSet(place, known, null)
        ? Optional.of(known)
        : Optional.empty();
  }

  /** Forgets a process that another thread may continue. */
  void forget(UUID process) {
    Optional<ProcessState> unused = take(process);
  }

  private static int place(UUID process) {
    return (process.hashCode() & Integer.MAX_VALUE) % PLACES;
  }
}
