package io.postroad.internal.inbox;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;

/** Hands a message of an outbox to handlers of this process. */
@FunctionalInterface
interface Delivery {

  /** Runs the handlers on this thread. Does not throw. */
  SendOutcome deliver(Message message);
}
