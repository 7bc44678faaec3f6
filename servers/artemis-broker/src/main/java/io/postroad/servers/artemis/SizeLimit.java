package io.postroad.servers.artemis;

import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerMessagePlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;

/**
 * Refuses messages that are too large for their address. Artemis has no such limit by itself, other
 * brokers do; an address takes part in this one when its name ends in {@code .max-} and a number of
 * bytes.
 */
final class SizeLimit implements ActiveMQServerMessagePlugin {
  private static final String MARK = ".max-";

  @Override
  public void beforeSend(
      ServerSession session,
      Transaction tx,
      Message message,
      boolean direct,
      boolean noAutoCreateQueue)
      throws ActiveMQException {
    String address = message.getAddress();
    int at = address == null ? -1 : address.lastIndexOf(MARK);
    if (at >= 0 && address != null) {
      int most = Integer.parseInt(address.substring(at + MARK.length()));
      if (message.getEncodeSize() > most) {
        ActiveMQException refusal =
            new ActiveMQSecurityException(
                "%s takes messages of %d bytes at most, got %d"
                    .formatted(address, most, message.getEncodeSize()));
        if (tx != null) {
          // As Artemis's own checks do: else the commit succeeds without the message.
          tx.markAsRollbackOnly(refusal);
        }
        throw refusal;
      }
    }
  }
}
