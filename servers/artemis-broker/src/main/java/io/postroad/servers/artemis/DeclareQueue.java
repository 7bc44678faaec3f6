package io.postroad.servers.artemis;

import java.util.function.BiConsumer;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * Declares a durable queue at the broker of a URL, or only connects when the name is empty.
 *
 * <p>Loaded by postroad-servers through a class loader of its own, so that the tests of a module
 * bring whatever client they want to test.
 */
public final class DeclareQueue implements BiConsumer<String, String> {
  private static final long TIMEOUT_MILLIS = 10_000;

  @Override
  public void accept(String url, String queue) {
    try (ServerLocator locator = ActiveMQClient.createServerLocator(url)) {
      locator.setUseGlobalPools(false);
      locator.setThreadPoolMaxSize(2);
      locator.setScheduledThreadPoolMaxSize(1);
      locator.setCallTimeout(TIMEOUT_MILLIS);
      locator.setInitialConnectAttempts(1);
      try (ClientSessionFactory factory = locator.createSessionFactory();
          ClientSession session = factory.createSession()) {
        if (!queue.isEmpty()) {
          session.createAddress(SimpleString.of(queue), RoutingType.ANYCAST, false);
          session.createQueue(
              QueueConfiguration.of(queue)
                  .setAddress(queue)
                  .setRoutingType(RoutingType.ANYCAST)
                  .setDurable(true));
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e.toString(), e);
    }
  }
}
