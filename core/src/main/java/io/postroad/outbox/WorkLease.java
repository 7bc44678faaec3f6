package io.postroad.outbox;

import io.postroad.message.PostroadException;

/** The lease under which a message is worked on. Used by the thread that does the work. */
@FunctionalInterface
public interface WorkLease {

  /**
   * Says that the work is getting on. The lease gets a new end when a third of it is over; whoever
   * never calls this is interrupted at its end.
   *
   * @throws PostroadException when the message was lost to another worker; what was done rolls back
   */
  void progress();
}
