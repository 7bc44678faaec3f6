package io.postroad.tck;

import io.postroad.message.Message;
import java.util.List;

/** Takes messages as a relay does, whatever the kind of store. */
interface Receiver {

  /** Returns new messages in the order in which they come. */
  List<Message> receive();

  /** Settles everything received so far as delivered. */
  void settleAll();
}
