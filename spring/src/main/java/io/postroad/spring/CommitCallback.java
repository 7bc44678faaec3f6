package io.postroad.spring;

import java.lang.StackWalker.StackFrame;
import java.util.List;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Finds out that the transaction of this thread has committed, from the calls that the thread is
 * in: works with each manager, because each one calls {@code afterCommit} of the transaction's
 * synchronizations.
 *
 * <p>Needed where the manager takes no listener (a chain of managers, a proxy of the interface).
 * Nothing else tells there: thread, connection and its holder look the same before and after the
 * commit.
 */
final class CommitCallback {
  private static final StackWalker CALLS =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private CommitCallback() {}

  /**
   * Tells whether this thread is inside {@code afterCommit} of a synchronization of the transaction
   * that is bound to it. A transaction that was begun inside such a call has synchronizations of
   * its own. Only if one of them is of the same class can it be taken for one that has committed;
   * so a unit of Postroad, which is known to be open, is asked first.
   */
  static boolean isRunning() {
    List<TransactionSynchronization> current =
        TransactionSynchronizationManager.getSynchronizations();
    if (current.stream().anyMatch(CommitCallback::isOpenUnit)) {
      return false;
    }
    return CALLS.walk(frames -> frames.anyMatch(frame -> isCallbackOf(current, frame)));
  }

  private static boolean isOpenUnit(TransactionSynchronization synchronization) {
    return synchronization instanceof UnitEnding ending && ending.isOfOpenUnit();
  }

  private static boolean isCallbackOf(List<TransactionSynchronization> current, StackFrame frame) {
    return frame.getMethodName().equals("afterCommit")
        && current.stream().anyMatch(frame.getDeclaringClass()::isInstance);
  }
}
