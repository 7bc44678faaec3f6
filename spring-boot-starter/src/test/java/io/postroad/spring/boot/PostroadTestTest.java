package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.spring.boot.test.PostroadDrain;
import io.postroad.spring.boot.test.PostroadTest;
import io.postroad.spring.boot.test.PublishedMessages;
import java.sql.Connection;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.annotation.Transactional;

/** The annotation for users' tests, used as its page says. */
@SpringBootTest(classes = PostroadTestTest.Application.class)
@PostroadTest
class PostroadTestTest {
  private final Greetings greetings;
  private final PostroadDrain drain;
  private final PublishedMessages published;

  @Autowired
  PostroadTestTest(Greetings greetings, PostroadDrain drain, PublishedMessages published) {
    this.greetings = greetings;
    this.drain = drain;
    this.published = published;
  }

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry registry) {
    for (String property : TestDatabases.postgres("annotation")) {
      int at = property.indexOf('=');
      registry.add(property.substring(0, at), () -> property.substring(at + 1));
    }
  }

  @BeforeEach
  void forget() {
    published.clear();
  }

  @Test
  void nothingIsPublishedBeforeTheTestSaysSo() {
    greetings.greet("ada");
    published.assertNone();

    assertThat(drain.now()).isEqualTo(1);

    assertThat(published.only("greetings", "Greeted").key()).contains("ada");
    assertThat(published.to("greetings")).hasSize(1);
    assertThat(published.ofType("Greeted")).hasSize(1);
  }

  @Test
  void aMissingMessageIsReportedWithTheMessagesThatThereAre() {
    greetings.greet("ada");
    drain.now();

    assertThatThrownBy(() -> published.only("greetings", "Left"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("found 0; published: [Greeted to greetings]");
    assertThatThrownBy(published::assertNone)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Greeted to greetings");
  }

  /** An application. */
  @EnableAutoConfiguration
  @Import(Greetings.class)
  static class Application {}

  /** What it does. */
  static class Greetings {
    private final Outbox<Connection> outbox;

    Greetings(Outbox<Connection> outbox) {
      this.outbox = outbox;
    }

    @Transactional
    void greet(String name) {
      var unused =
          outbox.append(Message.event("Greeted").to("greetings").key(name).json("{}").build());
    }
  }
}
