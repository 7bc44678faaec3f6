package io.postroad.servers.artemis;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/**
 * Runs a broker until it is told to end: {@code BrokerMain PORT DATA_DIRECTORY PROPERTIES_FILE}.
 *
 * <p>Everything that was acknowledged is on the disk: the journal is synced, and of the plain kind
 * that works on every architecture. Queues exist once they are declared, and stay.
 */
public final class BrokerMain {
  private static final int JOURNAL_FILE_BYTES = 4 * 1024 * 1024;
  private static final int UNLIMITED = -1;

  private BrokerMain() {}

  public static void main(String[] args) throws Exception {
    Path data = Path.of(args[1]);
    ConfigurationImpl configuration = new ConfigurationImpl();
    configuration
        .setName("postroad")
        .setSecurityEnabled(false)
        .setJMXManagementEnabled(false)
        .setPersistenceEnabled(true)
        .setJournalType(JournalType.NIO)
        .setJournalSyncTransactional(true)
        .setJournalSyncNonTransactional(true)
        .setJournalFileSize(JOURNAL_FILE_BYTES)
        .setJournalMinFiles(2)
        .setBindingsDirectory(data.resolve("bindings").toString())
        .setJournalDirectory(data.resolve("journal").toString())
        .setLargeMessagesDirectory(data.resolve("large").toString())
        .setPagingDirectory(data.resolve("paging").toString())
        .setMaxDiskUsage(UNLIMITED)
        .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + args[0])
        .addAddressSetting(
            "#",
            new AddressSettings()
                .setAutoCreateAddresses(false)
                .setAutoCreateQueues(false)
                .setAutoDeleteAddresses(false)
                .setAutoDeleteQueues(false)
                .setMaxDeliveryAttempts(UNLIMITED)
                .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE));
    configuration.registerBrokerPlugin(new SizeLimit());
    configuration.parseProperties(args[2]);

    EmbeddedActiveMQ broker = new EmbeddedActiveMQ().setConfiguration(configuration);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker, stopped), "stop"));
    broker.start();
    stopped.await();
  }

  private static void stop(EmbeddedActiveMQ broker, CountDownLatch stopped) {
    try {
      broker.stop();
    } catch (Exception e) {
      System.err.println("the broker did not stop cleanly: " + e);
    }
    stopped.countDown();
  }
}
