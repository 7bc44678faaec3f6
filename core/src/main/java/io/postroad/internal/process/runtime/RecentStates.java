package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.ProcessState;
import io.postroad.spi.StoredProcess;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * How processes stood when this node moved them last, for whoever goes on with them at once. A few
 * of them, and one may push out another: what is not here is read. Safe to use from many threads.
 */
final class RecentStates {
  /** Many more than threads that carry on; with {@link #MOST_TEXT} it bounds what is kept. */
  private static final int PLACES = 256;

  /** Longest text of a process that is remembered; beside it the way to read it costs little. */
  private static final int MOST_TEXT = 16_384;

  private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);

  /** What is known of a process. */
  record Known(ProcessState state, boolean isUnique) {}

  /**
   * Remembers one that waits for a single command. What has parallel branches is changed by others
   * all the time.
   */
  void remember(ProcessState state, StoredProcess stored) {
    if (state.isSingle() && stored.data().length() + stored.snapshot().length() <= MOST_TEXT) {
      places.set(place(state.id()), new Known(state, stored.isUnique()));
    }
  }

  /** What is known of this process, once. */
  Optional<Known> take(UUID process) {
    int place = place(process);
    @Nullable Known known = places.get(place);
    return known != null
            && known.state().id().equals(process)
            && places.compareAndSet(place, known, null)
        ? Optional.of(known)
        : Optional.empty();
  }

  /** It is about to be changed by somebody who does not go on with it. */
  void forget(UUID process) {
    Optional<Known> unused = take(process);
  }

  private static int place(UUID process) {
    return (process.hashCode() & Integer.MAX_VALUE) % PLACES;
  }
}
