package io.postroad.jms;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.PostroadException;
import io.postroad.servers.ArtemisServer;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;

class RequiredQueuesTest {
  private final TestQueues queues = new TestQueues(ArtemisServer.shared());

  @Test
  void queuesThatExistPass() {
    List<String> names = List.of(queues.create(), queues.create());
    assertThatCode(() -> RequiredQueues.check(queues.connections(), names))
        .doesNotThrowAnyException();
  }

  @Test
  void allMissingQueuesAreNamedAtOnce() {
    String there = queues.create();
    String missing = TestQueues.freshName();
    String alsoMissing = TestQueues.freshName();
    assertThatThrownBy(
            () -> RequiredQueues.check(queues.connections(), List.of(missing, there, alsoMissing)))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining(
            "2 of 3 required queues do not exist: " + missing + ", " + alsoMissing)
        .hasMessageContaining("create them")
        .hasMessageNotContaining(there);
  }

  @Test
  void anUnreachableBrokerIsReportedAndNotAsMissingQueues() {
    assertThatThrownBy(
            () ->
                RequiredQueues.check(
                    new ActiveMQConnectionFactory("tcp://127.0.0.1:1"), List.of("A")))
        .isInstanceOf(PostroadException.class)
        .hasMessageStartingWith("cannot check the required queues [A]")
        .hasMessageContaining("is the broker running");
  }
}
