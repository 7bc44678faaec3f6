package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.relay.Announcer;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.SettleRules;
import io.postroad.internal.relay.Verdict;
import io.postroad.message.PostroadException;
import io.postroad.outbox.MessageWork;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.WorkLease;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.Settlement;
import io.postroad.trace.Operation;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * HANDLE and SETTLE of one claimed message: the work and the settlement are one transaction. When
 * the work fails, a second transaction settles the failure.
 *
 * <p>Run by one thread; {@link #interruptIfLate} and {@link #stop} are called by others. What a
 * crash leaves: before the commit a lease that expires, so that the message is taken again; after
 * it nothing to do.
 */
final class WorkRun<T> implements WorkLease {
  private final CompetingStore<T> store;
  private final Transactions<T> transactions;
  private final MessageWork<T> work;
  private final SettleRules rules;
  private final Announcer news;
  private final RelayOptions options;
  private final Ticker ticker;
  private final Tracing tracing;
  private final Claim claim;
  private volatile long leaseFrom;
  private @Nullable Thread runner;
  private boolean isLate;
  private boolean isStopped;

  /** The transaction that the work is in. */
  private @Nullable T unit;

  WorkRun(
      CompetingStore<T> store,
      Transactions<T> transactions,
      MessageWork<T> work,
      RelayParts parts,
      SettleRules rules,
      Claim claim,
      long askedAt) {
    this.store = store;
    this.transactions = transactions;
    this.work = work;
    this.rules = rules;
    this.news = parts.announcer();
    this.options = parts.options();
    this.ticker = parts.ticker();
    this.tracing = parts.tracing();
    this.claim = claim;
    this.leaseFrom = askedAt;
  }

  /** Does the work and writes down what became of it. Throws when the store fails. */
  RelayPass run() {
    if (rules.isExhausted(claim)) {
      return settle(rules.exhausted(claim));
    }
    if (!begin()) {
      return settle(stopped());
    }
    Verdict delivered = rules.after(claim, new SendOutcome.Accepted(Map.of()));
    Throwable failure;
    try {
      tracing.follow(() -> Operation.process(claim.message()), span -> work(delivered));
      return told(delivered, Set.of());
    } catch (LeaseLost lost) {
      return told(delivered, Set.of(claim.id()));
    } catch (Exception | Error failed) {
      failure = failed;
    } finally {
      end();
    }
    return settle(verdict(failure));
  }

  private boolean work(Verdict delivered) throws Exception {
    work.before(claim.message(), this);
    transactions.<Exception>run(
        transaction -> {
          unit = transaction;
          work.inside(transaction, claim.message(), this);
          unit = null;
          requireNotInterrupted();
          if (!store.settle(transaction, delivered.settlement())) {
            throw new LeaseLost(claim);
          }
        });
    return true;
  }

  /** Who was stopped has not failed, whatever became of it. */
  private synchronized Verdict verdict(Throwable failed) {
    if (isStopped) {
      return stopped();
    }
    String error = ErrorText.of(failed);
    SendOutcome.Rejected rejected =
        isLate
            ? SendOutcome.Rejected.forNow(
                "interrupted after %s without progress, the lease was over: %s"
                    .formatted(options.leaseFor(), error))
            : new SendOutcome.Rejected(error, work.again(failed));
    return rules.after(claim, rejected);
  }

  private Verdict stopped() {
    return rules.heldBack(claim, "its worker was stopped before the work was done");
  }

  private RelayPass settle(Verdict verdict) {
    List<Settlement> settlements = List.of(verdict.settlement());
    return told(verdict, news.ask("settle", () -> store.settle(settlements)));
  }

  private RelayPass told(Verdict verdict, Set<UUID> rejected) {
    news.settled(verdict, rejected);
    return Verdict.counted(List.of(verdict), rejected);
  }

  @Override
  public void progress() {
    Duration age = ticker.since(leaseFrom);
    if (age.multipliedBy(3).compareTo(options.leaseFor()) < 0) {
      return;
    }
    long askedAt = ticker.nanos();
    if (!news.ask("extend", this::extend)) {
      news.signal(OutboxSignal.fenceRejected(claim, "extend"));
      throw new LeaseLost(claim);
    }
    leaseFrom = askedAt;
  }

  private boolean extend() {
    return unit == null
        ? store.extend(List.of(claim), options.leaseFor()).contains(claim.id())
        : store.extend(unit, claim, options.leaseFor());
  }

  /** Whoever returned because of the interrupt may have done half its work. */
  private synchronized void requireNotInterrupted() {
    if (isLate || isStopped) {
      throw new PostroadException("the work returned after its interrupt, so it rolls back");
    }
  }

  /** Whether it was not stopped before. */
  private synchronized boolean begin() {
    if (isStopped) {
      return false;
    }
    runner = Thread.currentThread();
    return true;
  }

  private synchronized void end() {
    runner = null;
    // Ours, or one that the work left behind: the settlement must not fail because of it.
    boolean unused = Thread.interrupted();
  }

  /** Whoever does not get on until the end of the lease is interrupted, once. */
  synchronized void interruptIfLate() {
    if (runner != null && !isLate && ticker.since(leaseFrom).compareTo(options.leaseFor()) >= 0) {
      isLate = true;
      runner.interrupt();
    }
  }

  /** Its worker goes away: the work is interrupted and rolls back, and is no attempt. */
  synchronized void stop() {
    isStopped = true;
    if (runner != null) {
      runner.interrupt();
    }
  }

  /** Another worker has the message: what was done here must roll back. */
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
