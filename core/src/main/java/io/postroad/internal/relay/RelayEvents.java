package io.postroad.internal.relay;

import io.postroad.internal.loop.ErrorText;
import io.postroad.outbox.OutboxObserver;
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

/** Reports settlements, claims and failures of the store to the observer and the log. */
public final class RelayEvents {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

  private final String relay;
  private final ObserverGuard observer;

  RelayEvents(String relay, OutboxObserver observer) {
    this.relay = relay;
    this.observer = ObserverGuard.of(observer);
  }

  public void signal(OutboxSignal signal) {
    observer.on(signal);
  }

  /** Reports the node that let the lease of a message expire, if one did. */
  public void claimed(Claim claim) {
    claim
        .expiredOwner()
        .ifPresent(
            owner ->
                observer.on(
                    new OutboxSignal.LeaseExpired(
                        OutboxSignal.Subject.of(claim.message()), claim.attempt(), owner)));
  }

  /** Reports a result that is committed, or that the store rejected as too late. */
  public void settled(MessageResult result, Set<UUID> rejected) {
    Claim claim = result.settlement().claim();
    boolean fenced = rejected.contains(claim.id());
    if (!fenced && result.settlement().status() == MessageStatus.FAILED) {
      LOG.warn(
          "{}: a message is a dead letter until an operator decides; message={} attempt={} error={}",
          relay,
          claim.message(),
          claim.attempt(),
          result.settlement().lastError().orElse(""));
    }
    observer.on(fenced ? OutboxSignal.fenceRejected(claim, "settle") : result.signal());
  }

  /** Calls the store and reports a failure. The owner of a lane reports its loss itself. */
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

  /** {@link #ask} for a call without an answer. */
  public void run(String verb, Runnable call) {
    this.<Boolean>ask(
        verb,
        () -> {
          call.run();
          return true;
        });
  }

  /**
   * {@link #ask} for a call that the rest of a pass does not need: a failure is reported, and
   * {@code otherwise} returned. A lost lane still ends the pass.
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
