package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoOptions;
import io.postroad.schema.SchemaMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Settings and servers that are refused, each with its reason. */
class MongoOptionsTest {
  private static final MongoOptions DEFAULTS = MongoOptions.defaults();

  @Test
  void eachSettingCanBeChangedByItself() {
    MongoOptions changed =
        DEFAULTS
            .withDatabase("shop")
            .withPrefix("a_")
            .withSchemaMode(SchemaMode.MIGRATE)
            .withWakeUpMode(MongoOptions.WakeUpMode.LOCAL)
            .withTransactionMode(MongoOptions.TransactionMode.NONE)
            .withDeadLetters(MongoOptions.DeadLetters.MOVE)
            .withOperationTimeout(Duration.ofSeconds(5))
            .withRerunFor(Duration.ofSeconds(6))
            .withLanes(8)
            .withStreams(true);

    assertThat(changed)
        .isEqualTo(
            new MongoOptions(
                "shop",
                "a_",
                SchemaMode.MIGRATE,
                MongoOptions.WakeUpMode.LOCAL,
                MongoOptions.TransactionMode.NONE,
                MongoOptions.DeadLetters.MOVE,
                Duration.ofSeconds(5),
                Duration.ofSeconds(6),
                8,
                true));
  }

  @Test
  void wrongSettingsAreRefusedByName() {
    for (Case wrong :
        List.of(
            new Case("database", () -> DEFAULTS.withDatabase("a.b")),
            new Case("database", () -> DEFAULTS.withDatabase("")),
            new Case("prefix", () -> DEFAULTS.withPrefix("No-")),
            new Case("operationTimeout", () -> DEFAULTS.withOperationTimeout(Duration.ZERO)),
            new Case("rerunFor", () -> DEFAULTS.withRerunFor(Duration.ofHours(2))),
            new Case("lanes", () -> DEFAULTS.withLanes(0)),
            new Case("lanes", () -> DEFAULTS.withLanes(129)))) {
      assertThatThrownBy(wrong.change()::run)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("MongoOptions." + wrong.name());
    }
  }

  private record Case(String name, Runnable change) {}

  @Test
  void aServerThatIsTooOldIsRefused() {
    assertThatThrownBy(() -> ServerCheck.check(new ServerCheck.Server("5.0.9", true), DEFAULTS))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("6.0 or newer")
        .hasMessageContaining("5.0.9");
    ServerCheck.check(new ServerCheck.Server("10.1.0", true), DEFAULTS);
  }
}
