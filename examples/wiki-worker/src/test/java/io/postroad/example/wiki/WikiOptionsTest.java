package io.postroad.example.wiki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.example.wiki.store.OutboxCollection.IdForm;
import io.postroad.layout.PayloadForm;
import io.postroad.mongodb.MongoOptions.TransactionMode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each setting, its default and its invalid values. */
class WikiOptionsTest {

  static Stream<Arguments> settings() {
    return Stream.of(
        setting("APP_PORT", 8080, "81", 81, WikiOptions::port),
        setting(
            "MONGODB_URI",
            "mongodb://localhost:27017/?replicaSet=rs0",
            "mongodb://db",
            "mongodb://db",
            WikiOptions::uri),
        setting("MONGODB_DATABASE", "wiki", "other", "other", WikiOptions::database),
        setting("WORKER_ID", thisProcess(), "node-1", "node-1", WikiOptions::workerId),
        setting(
            "OUTBOX_TRANSACTIONS",
            TransactionMode.REQUIRED,
            "none",
            TransactionMode.NONE,
            WikiOptions::transactions),
        setting("OUTBOX_ID", IdForm.OBJECTID, "string", IdForm.STRING, WikiOptions::ids),
        setting(
            "OUTBOX_PAYLOAD", PayloadForm.JSON, "base64", PayloadForm.BASE64, WikiOptions::payload),
        setting(
            "OUTBOX_LEASE_SECONDS",
            Duration.ofSeconds(60),
            "5",
            Duration.ofSeconds(5),
            WikiOptions::leaseFor),
        setting("OUTBOX_MAX_ATTEMPTS", 8, "3", 3, WikiOptions::maxAttempts),
        setting(
            "OUTBOX_BACKOFF_MILLIS",
            Duration.ofSeconds(1),
            "20",
            Duration.ofMillis(20),
            WikiOptions::backoff),
        setting(
            "OUTBOX_POLL_MILLIS",
            Duration.ofSeconds(1),
            "20",
            Duration.ofMillis(20),
            WikiOptions::poll),
        setting("WORKER_CONCURRENCY", 4, "9", 9, WikiOptions::concurrency),
        setting(
            "RECONCILE_SECONDS",
            Duration.ofSeconds(60),
            "7",
            Duration.ofSeconds(7),
            WikiOptions::reconcileEvery));
  }

  private static String thisProcess() {
    try {
      return "wiki-%s-%d"
          .formatted(InetAddress.getLocalHost().getHostName(), ProcessHandle.current().pid());
    } catch (UnknownHostException nameless) {
      return "wiki-localhost-" + ProcessHandle.current().pid();
    }
  }

  private static Arguments setting(
      String name,
      Object otherwise,
      String given,
      Object wanted,
      Function<WikiOptions, Object> of) {
    return Arguments.of(name, otherwise, given, wanted, of);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void aSettingHasItsDefaultAndIsRead(
      String name,
      Object otherwise,
      String given,
      Object wanted,
      Function<WikiOptions, Object> of) {
    assertThat(of.apply(WikiOptions.of(Map.of()))).isEqualTo(otherwise);
    assertThat(of.apply(WikiOptions.of(Map.of(name, given)))).isEqualTo(wanted);
  }

  @Test
  void everySettingIsInThisTest() {
    assertThat(settings()).hasSize(WikiOptions.class.getRecordComponents().length);
  }

  @ParameterizedTest
  @CsvSource({
    "APP_PORT, 70000",
    "APP_PORT, eight",
    "MONGODB_DATABASE, a b",
    "MONGODB_DATABASE, ''",
    "WORKER_ID, ''",
    "WORKER_ID, my node",
    "OUTBOX_MAX_ATTEMPTS, 0",
    "OUTBOX_TRANSACTIONS, maybe",
    "OUTBOX_ID, int",
    "OUTBOX_PAYLOAD, xml",
    "RECONCILE_SECONDS, -1"
  })
  void aWrongSettingIsRefusedByName(String name, String given) {
    assertThatThrownBy(() -> WikiOptions.of(Map.of(name, given)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + " must be")
        .hasMessageEndingWith("got '" + given + "'");
  }

  @Test
  void aWrongAddressIsRefusedByNameAndNotRepeated() {
    assertThatThrownBy(() -> WikiOptions.of(Map.of("MONGODB_URI", "ada:secret@db")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("MONGODB_URI must be a connection string")
        .hasMessageNotContaining("secret");
  }
}
