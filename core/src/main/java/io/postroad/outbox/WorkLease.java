package io.postroad.outbox;

import io.postroad.message.PostroadException;

/** The lease under which a message is worked on. Used by the thread that does the work. */
@FunctionalInterface
public interface WorkLease {

  /**
   * Reports progress. Extends the lease when a third of it is over; work that never calls this is
   * interrupted at the end of the lease.
   *
   * @throws PostroadException when the message was lost to another worker; the work rolls back
   */
  void progress();
}
