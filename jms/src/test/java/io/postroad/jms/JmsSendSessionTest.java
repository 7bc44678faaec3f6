package io.postroad.jms;

import static io.postroad.jms.TestQueues.large;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.servers.ArtemisServer;
import io.postroad.tck.sender.SendSessionContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Starts its own broker, because the test kills and freezes it. */
class JmsSendSessionTest extends SendSessionContract {
  private static ArtemisServer server;
  private static TestQueues queues;
  private static JmsSender sender;

  @BeforeAll
  static void start() {
    server = ArtemisServer.started();
    queues = new TestQueues(server);
    sender =
        JmsSender.create(
            queues.connections(),
            JmsSenderOptions.defaults()
                .withSendTimeout(Duration.ofSeconds(2))
                .withReconnect(Duration.ofMillis(50), Duration.ofMillis(500)));
  }

  @AfterAll
  static void end() {
    sender.close();
    server.close();
  }

  @Override
  protected MessageSender sender() {
    return sender;
  }

  @Override
  protected String newDestination() {
    return queues.createLimited(20_000);
  }

  @Override
  protected Message refusedByBroker(String destination, String key) {
    return large("Large", destination, key, 30_000);
  }

  @Override
  protected void freezeBroker() {
    server.freeze();
  }

  @Override
  protected void unfreezeBroker() {
    server.unfreeze();
  }

  @Override
  protected void restartBroker() {
    server.kill();
    server.restart();
  }

  @Override
  protected List<String> arrived(String destination) {
    return queues.types(destination);
  }
}
