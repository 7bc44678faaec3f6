package io.postroad.tck;

import io.postroad.message.Message;
import java.util.List;

/** Takes messages as a relay does, whatever the kind of store. */
interface Receiver {

  /** What can be had now and was not had before, in the order in which it comes. */
  List<Message> receive();

  /** Settles everything received so far as delivered. */
  void settleAll();
}
