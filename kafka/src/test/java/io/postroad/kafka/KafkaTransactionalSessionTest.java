package io.postroad.kafka;

import static io.postroad.kafka.TestTopics.large;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import io.postroad.servers.KafkaServer;
import io.postroad.tck.sender.SendSessionContract;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Order between calls, in transactions. Starts its own broker, because the test kills and freezes
 * it.
 */
class KafkaTransactionalSessionTest extends SendSessionContract {
  private static KafkaServer server;
  private static TestTopics topics;
  private static KafkaSender sender;

  @BeforeAll
  static void start() {
    server = KafkaServer.started();
    topics = new TestTopics(server);
    sender =
        KafkaSender.create(
            KafkaSenderOptions.of(server.bootstrapServers())
                .withSendTimeout(Duration.ofSeconds(2))
                .withTransactionalIdPrefix("orders")
                .withSettings(Map.of("max.block.ms", 1000, "batch.size", 0)));
  }

  @AfterAll
  static void end() {
    sender.close();
    server.close();
  }

  @Override
  protected MessageSender sender() {
    return new OneLane(sender);
  }

  @Override
  protected String newDestination() {
    return topics.create(1, Map.of("max.message.bytes", "20000"));
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
    return topics.readTypes(destination);
  }

  /** Opens all sessions for one lane. */
  private record OneLane(KafkaSender sender) implements MessageSender {
    @Override
    public String name() {
      return sender.name();
    }

    @Override
    public Duration timeout() {
      return sender.timeout();
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      return sender.send(messages);
    }

    @Override
    public SendSession openSession() {
      return sender.openSession("lane-0");
    }

    @Override
    public void close() {
      sender.close();
    }
  }
}
