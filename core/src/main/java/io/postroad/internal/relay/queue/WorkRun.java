package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.relay.MessageResult;
import io.postroad.internal.relay.Permit;
import io.postroad.internal.relay.RelayEvents;
import io.postroad.internal.relay.SettleRules;
import io.postroad.message.PostroadException;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.WorkLease;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.trace.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Handles and settles one claimed message: the work and the settlement are one transaction. When
 * the work fails, a second transaction settles the failure.
 *
 * <p>Run by one thread; {@link #interruptIfLate} and {@link #stop} are called by others. A crash
 * before the commit leaves a lease that expires, so that a worker claims the message again.
 */
final class WorkRun<T> implements WorkLease {
  private final WorkEngine<T> engine;
  private final SettleRules rules;
  private final RelayEvents events;
  private final Ticker ticker;
  private final Duration leaseFor;
  private final Claim claim;
  private volatile long leaseFrom;
  private @Nullable Thread runner;
  private boolean isLate;
  private boolean isStopped;

  /** The transaction that the work is in. */
  private @Nullable T transaction;

  WorkRun(WorkEngine<T> engine, Claim claim, long askedAt) {
    this.engine = engine;
    this.rules = engine.rules;
    this.events = engine.parts.events();
    this.ticker = engine.parts.ticker();
    this.leaseFor = engine.parts.options().leaseFor();
    this.claim = claim;
    this.leaseFrom = askedAt;
  }

  /** Does the work and settles its message. Throws when the store fails. */
  RelayPass run() {
    Permit permit = rules.ask(claim);
    if (permit.isSend() && !begin()) {
      permit = Permit.STOPPED;
    }
    if (!permit.isSend()) {
      return settle(rules.notSent(claim, permit));
    }
    MessageResult delivered = rules.after(claim, new SendOutcome.Accepted(Map.of()));
    Throwable failure;
    try {
      engine
          .parts
          .tracing()
          .follow(() -> Operation.process(claim.message()), span -> work(delivered));
      return report(delivered, Set.of());
    } catch (LeaseLost lost) {
      return report(delivered, Set.of(claim.id()));
    } catch (Exception | Error failed) {
      failure = failed;
    } finally {
      end();
    }
    return settle(failed(failure));
  }

  private boolean work(MessageResult delivered) throws Exception {
    engine.work.before(claim.message(), this);
    engine.transactions.<Exception>run(
        current -> {
          transaction = current;
          engine.work.inside(current, claim.message(), this);
          transaction = null;
          requireNotInterrupted();
          if (!engine.store.settle(current, delivered.settlement())) {
            throw new LeaseLost(claim);
          }
        });
    return true;
  }

  /** Returns the result of work that threw. Work that was stopped has not failed. */
  private synchronized MessageResult failed(Throwable failure) {
    if (isStopped) {
      return rules.notSent(claim, Permit.STOPPED);
    }
    String error = ErrorText.of(failure);
    SendOutcome.Rejected rejected =
        isLate
            ? SendOutcome.Rejected.forNow(
                "interrupted after %s without progress, the lease was over: %s"
                    .formatted(leaseFor, error))
            : new SendOutcome.Rejected(error, engine.work.again(failure));
    return rules.after(claim, rejected);
  }

  private RelayPass settle(MessageResult result) {
    List<Settlement> settlements = List.of(result.settlement());
    return report(result, events.ask("settle", () -> engine.store.settle(settlements)));
  }

  private RelayPass report(MessageResult result, Set<UUID> rejected) {
    events.settled(result, rejected);
    return MessageResult.counted(List.of(result), rejected);
  }

  @Override
  public void progress() {
    Duration age = ticker.since(leaseFrom);
    if (age.multipliedBy(3).compareTo(leaseFor) < 0) {
      return;
    }
    long askedAt = ticker.nanos();
    if (!events.ask("extend", this::extend)) {
      events.signal(OutboxSignal.fenceRejected(claim, "extend"));
      throw new LeaseLost(claim);
    }
    leaseFrom = askedAt;
  }

  private boolean extend() {
    return transaction == null
        ? engine.store.extend(List.of(claim), leaseFor).contains(claim.id())
        : engine.store.extend(transaction, claim, leaseFor);
  }

  /** Throws after an interrupt: work that returned because of it may be half done. */
  private synchronized void requireNotInterrupted() {
    if (isLate || isStopped) {
      throw new PostroadException("the work returned after its interrupt, so it rolls back");
    }
  }

  /** Begins the work; returns false if it was stopped before. */
  private synchronized boolean begin() {
    if (isStopped) {
      return false;
    }
    runner = Thread.currentThread();
    return true;
  }

  private synchronized void end() {
    runner = null;
    // An interrupt that is still set must not fail the settlement.
    boolean unused = Thread.interrupted();
  }

  /** Interrupts work that has made no progress until the end of its lease, once. */
  synchronized void interruptIfLate() {
    if (runner != null && !isLate && ticker.since(leaseFrom).compareTo(leaseFor) >= 0) {
      isLate = true;
      runner.interrupt();
    }
  }

  /** Interrupts the work, which rolls back and does not count as an attempt. */
  synchronized void stop() {
    isStopped = true;
    if (runner != null) {
      runner.interrupt();
    }
  }

  /** Thrown when another worker has the message, so that the work rolls back. */
  private static final class LeaseLost extends PostroadException {
    private static final long serialVersionUID = 1L;

    LeaseLost(Claim claim) {
      super(
          "message %s was lost to another worker: its lease was over before the work was done; raise"
                  .formatted(claim.id())
              + " the lease, or call progress() while the work gets on");
    }
  }
}
