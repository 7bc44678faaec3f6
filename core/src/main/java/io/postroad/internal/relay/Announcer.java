package io.postroad.internal.relay;

import io.postroad.internal.loop.ErrorText;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneLostException;
import io.postroad.store.MessageStatus;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells observers and the log what was written down, and what the store could not do. */
public final class Announcer {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

  private final String relay;
  private final ObserverGuard observer;

  Announcer(String relay, ObserverGuard observer) {
    this.relay = relay;
    this.observer = observer;
  }

  public void signal(OutboxSignal signal) {
    observer.on(signal);
  }

  /** Tells who let the lease of a message expire, if anybody did. */
  public void claimed(Claim claim) {
    claim
        .expiredOwner()
        .ifPresent(
            owner ->
                observer.on(
                    new OutboxSignal.LeaseExpired(
                        OutboxSignal.Subject.of(claim.message()), claim.attempt(), owner)));
  }

  /** A verdict that is committed, or was rejected by the fence. */
  public void settled(Verdict verdict, Set<UUID> rejected) {
    Claim claim = verdict.settlement().claim();
    boolean fenced = rejected.contains(claim.id());
    if (!fenced && verdict.settlement().status() == MessageStatus.FAILED) {
      LOG.warn(
          "{}: a message is a dead letter and waits for a person; message={} attempt={} error={}",
          relay,
          claim.message(),
          claim.attempt(),
          verdict.settlement().lastError().orElse(""));
    }
    observer.on(fenced ? OutboxSignal.fenceRejected(claim, "settle") : verdict.signal());
  }

  /** Calls the store and tells when it fails. A lane that is lost is told by its owner. */
  public <R> R ask(String verb, Supplier<R> call) {
    try {
      return call.get();
    } catch (LaneLostException lost) {
      throw lost;
    } catch (RuntimeException failed) {
      observer.on(new OutboxSignal.StoreFailed(relay, verb, ErrorText.of(failed)));
      throw failed;
    }
  }

  /**
   * Calls the store for something that the rest of a pass does not need. A failure is told, and
   * answered with {@code otherwise}; a lane that is lost still ends the pass.
   */
  public <R> R tryAsk(String verb, R otherwise, Supplier<R> call) {
    try {
      return ask(verb, call);
    } catch (LaneLostException lost) {
      throw lost;
    } catch (RuntimeException failed) {
      LOG.warn(
          "{}: the store failed and is asked again later; verb={} error={}",
          relay,
          verb,
          ErrorText.of(failed));
      return otherwise;
    }
  }
}
