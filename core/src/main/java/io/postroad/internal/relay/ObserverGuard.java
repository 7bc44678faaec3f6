package io.postroad.internal.relay;

import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the failures of an observer, so that the outbox goes on. */
public final class ObserverGuard implements OutboxObserver {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxObserver.class);

  private final OutboxObserver observer;

  private ObserverGuard(OutboxObserver observer) {
    this.observer = observer;
  }

  public static ObserverGuard of(OutboxObserver observer) {
    return observer instanceof ObserverGuard guarded ? guarded : new ObserverGuard(observer);
  }

  @Override
  public void on(OutboxSignal signal) {
    try {
      observer.on(signal);
    } catch (RuntimeException | Error failed) {
      LOG.warn(
          "observer failed, the outbox goes on; observer={} signal={}",
          observer.getClass().getName(),
          signal.getClass().getSimpleName(),
          failed);
    }
  }
}
