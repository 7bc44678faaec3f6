package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.DomainCommand;
import io.postroad.inbox.Handlers;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.spring.boot.test.PostroadDrain;
import io.postroad.spring.boot.test.PostroadTest;
import io.postroad.spring.boot.test.PublishedMessages;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.annotation.Transactional;

/** An application without a broker that sends commands and events to handlers of its own. */
@SpringBootTest(
    classes = PostroadTestHandlersTest.Application.class,
    properties = {
      "postroad.commands.send.Welcome=welcome.commands",
      "postroad.commands.reply-to=welcome.replies",
      "postroad.commands.owner=welcome"
    })
@PostroadTest
class PostroadTestHandlersTest {
  private final CommandBus<?> bus;
  private final PostroadDrain drain;
  private final PublishedMessages published;
  private final JdbcTemplate jdbc;

  @Autowired
  PostroadTestHandlersTest(
      CommandBus<?> bus, PostroadDrain drain, PublishedMessages published, JdbcTemplate jdbc) {
    this.bus = bus;
    this.drain = drain;
    this.published = published;
    this.jdbc = jdbc;
  }

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry registry) {
    for (String property : TestDatabases.postgres("handlers")) {
      int at = property.indexOf('=');
      registry.add(property.substring(0, at), () -> property.substring(at + 1));
    }
  }

  @BeforeEach
  void forget() {
    published.clear();
    jdbc.execute("DELETE FROM guest");
  }

  @Test
  void aCommandThatIsSentIsHandledByDrainNowWithItsConsequences() {
    UUID command = bus.accept(CommandRequest.of("Welcome", "w-1", "ada", "{\"name\":\"ada\"}"));
    assertThat(guests()).as("before the test says so").isEmpty();

    drain.now();

    assertThat(guests()).containsExactly("listed ada", "welcomed ada");
    assertThat(bus.findReply(command))
        .as("the reply came back")
        .get()
        .isInstanceOf(CommandReply.Completed.class);
    assertThat(published.all())
        .extracting(Message::destination)
        .containsExactlyInAnyOrder("welcome.commands", "guests", "welcome.replies");
  }

  /** The handler fails at first; what it wrote then is gone, and the retry line has it again. */
  @Test
  void aMessageWhoseHandlerFailsIsTriedAgain() {
    UUID unused = bus.accept(CommandRequest.of("Welcome", "w-2", "bob", "{\"name\":\"bob\"}"));
    GuestList.FAILING.set(true);

    drain.now();

    assertThat(GuestList.FAILING.get()).as("it has failed once").isFalse();
    assertThat(guests()).containsExactly("listed bob", "welcomed bob");
  }

  private List<String> guests() {
    return jdbc.queryForList("SELECT what FROM guest ORDER BY what", String.class);
  }

  /** A command. */
  public record WelcomeCommand(String name) implements DomainCommand {}

  /** An application. */
  @EnableAutoConfiguration
  @Import({Reception.class, GuestList.class})
  static class Application {

    /** Commands and events that come in, from itself. */
    @Bean
    Handlers<Connection> handlers(CommandBus<Connection> bus, GuestList guests) {
      return bus.receive(
              Handlers.<Connection>builder()
                  .on("guests", "Welcomed", "list", (message, context) -> guests.list(message)),
              Map.of("Welcome", "welcome.commands"))
          .build();
    }
  }

  /** Handles the command, and tells of it. */
  static class Reception {
    private final JdbcTemplate jdbc;
    private final Outbox<Connection> outbox;

    Reception(JdbcTemplate jdbc, Outbox<Connection> outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    @Transactional
    public void welcome(WelcomeCommand command) {
      jdbc.update("INSERT INTO guest VALUES (?)", "welcomed " + command.name());
      var unused =
          outbox.append(
              Message.event("Welcomed").to("guests").key(command.name()).json("{}").build());
    }
  }

  /** Hears of it. */
  static class GuestList {
    static final java.util.concurrent.atomic.AtomicBoolean FAILING =
        new java.util.concurrent.atomic.AtomicBoolean();

    private final JdbcTemplate jdbc;

    GuestList(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
      jdbc.execute("CREATE TABLE IF NOT EXISTS guest (what text)");
    }

    void list(Message message) {
      jdbc.update("INSERT INTO guest VALUES (?)", "listed " + message.key().orElse("?"));
      if (FAILING.getAndSet(false)) {
        throw new IllegalStateException("not now");
      }
    }
  }
}
