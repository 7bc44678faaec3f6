package io.postroad.example.wiki.work;

import io.postroad.mongodb.Reconciler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.function.Function;

/**
 * Supplies heads to a reconciler: all of them until one run has completed, then those of the last
 * day. So a run is cheap, and events that were lost before a restart or on another node are found.
 *
 * <p>Used by one run at a time.
 */
final class Recent<H> implements Reconciler.Heads<H> {
  private static final Duration WINDOW = Duration.ofDays(1);

  private final Function<Instant, Iterable<H>> since;
  private final InstantSource clock;
  private volatile boolean sawAll;

  Recent(Function<Instant, Iterable<H>> since, InstantSource clock) {
    this.since = since;
    this.clock = clock;
  }

  @Override
  public Iterable<H> find() {
    Iterator<H> heads =
        since.apply(sawAll ? clock.instant().minus(WINDOW) : Instant.EPOCH).iterator();
    return () -> new UntilTheEnd(heads);
  }

  /**
   * Notices the end of a run. A run that fails, or loses its lease, never asks for more than the
   * last head.
   */
  private final class UntilTheEnd implements Iterator<H> {
    private final Iterator<H> heads;

    UntilTheEnd(Iterator<H> heads) {
      this.heads = heads;
    }

    @Override
    public boolean hasNext() {
      boolean more = heads.hasNext();
      if (!more) {
        sawAll = true;
      }
      return more;
    }

    @Override
    public H next() {
      return heads.next();
    }
  }
}
