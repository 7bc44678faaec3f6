package io.postroad.spring;

import java.lang.StackWalker.StackFrame;
import java.util.List;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Finds out from the calling stack that the transaction of this thread has committed. It works with
 * every manager, because each one calls {@code afterCommit} of the transaction's synchronizations.
 *
 * <p>Needed where the manager takes no listener (a chain of managers, a proxy of the interface).
 * Thread, connection and its holder look the same there before and after the commit.
 */
final class CommitCallback {
  private static final StackWalker CALLS =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private CommitCallback() {}

  /**
   * Returns whether this thread is inside {@code afterCommit} of a synchronization of its current
   * transaction. A transaction that was begun inside such a call has synchronizations of its own.
   * It is mistaken for a committed one only if one of them has the same class; so an open
   * transaction that Postroad began is excluded first.
   */
  static boolean isRunning() {
    List<TransactionSynchronization> current =
        TransactionSynchronizationManager.getSynchronizations();
    if (current.stream().anyMatch(CommitCallback::isOpen)) {
      return false;
    }
    return CALLS.walk(frames -> frames.anyMatch(frame -> isCallbackOf(current, frame)));
  }

  private static boolean isOpen(TransactionSynchronization synchronization) {
    return synchronization instanceof SpringCompletion completion && completion.isOpen();
  }

  private static boolean isCallbackOf(List<TransactionSynchronization> current, StackFrame frame) {
    return frame.getMethodName().equals("afterCommit")
        && current.stream().anyMatch(frame.getDeclaringClass()::isInstance);
  }
}
