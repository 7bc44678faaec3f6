package io.postroad.tck.contract.scene;

import io.postroad.message.PostroadException;
import io.postroad.transaction.Transactions;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Units of work on a database that goes away again and again: of five units one is lost before its
 * commit, one is committed but its answer is lost, and three are fine, in an order without a rhythm
 * that is the same each time. From some number of units on all are fine.
 */
public final class FailingTransactions implements Transactions<Object> {
  private final Transactions<Object> real;
  private final int until;
  private final Random fates = new Random(7);
  private final AtomicInteger units = new AtomicInteger();

  public FailingTransactions(Transactions<Object> real, int until) {
    this.real = real;
    this.until = until;
  }

  /** How many units there were. */
  public int units() {
    return units.get();
  }

  @Override
  public <R, E extends Exception> R call(Work<Object, R, E> work) throws E {
    if (real.current().isPresent()) {
      return real.call(work);
    }
    boolean isFailing = units.getAndIncrement() < until;
    int fate = fates.nextInt(5);
    boolean isLost = isFailing && fate == 0;
    boolean isUnheard = isFailing && fate == 1;
    R result =
        real.call(
            transaction -> {
              R done = work.call(transaction);
              if (isLost) {
                throw new PostroadException("the database went away before the commit");
              }
              return done;
            });
    if (isUnheard) {
      throw new PostroadException("the database went away after the commit");
    }
    return result;
  }

  @Override
  public <R, E extends Exception> R together(Object transaction, Work<Object, R, E> work) throws E {
    return real.together(transaction, work);
  }

  @Override
  public void requireUnended(Object transaction) {
    real.requireUnended(transaction);
  }

  @Override
  public Optional<Object> current() {
    return real.current();
  }

  @Override
  public void flush(Object transaction) {
    real.flush(transaction);
  }

  @Override
  public void afterCommit(Runnable action) {
    real.afterCommit(action);
  }
}
