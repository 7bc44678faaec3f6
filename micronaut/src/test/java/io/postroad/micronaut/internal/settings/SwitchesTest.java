package io.postroad.micronaut.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.postroad.command.CommandBus;
import io.postroad.inbox.Inbox;
import io.postroad.jms.JmsReceiver;
import io.postroad.micronaut.Apps;
import io.postroad.micronaut.Beans;
import io.postroad.micronaut.internal.operate.PostroadHealthIndicator;
import io.postroad.outbox.OutboxRelay;
import io.postroad.postgres.PostgresOptions;
import io.postroad.servers.ArtemisServer;
import io.postroad.spi.OutboxStore;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A switch is a Boolean, however it is written, as those in environment variables often are. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SwitchesTest {
  private static final Map<String, Class<?>> SWITCHED =
      Map.of(
          "postroad.enabled", OutboxStore.class,
          "postroad.relay.enabled", OutboxRelay.class,
          "postroad.inbox.enabled", Inbox.class,
          "postroad.commands.enabled", CommandBus.class,
          "postroad.health.enabled", PostroadHealthIndicator.class,
          "postroad.jms.receiver.enabled", JmsReceiver.class);

  private final Map<String, Object> all = new HashMap<>();

  @BeforeAll
  void create() {
    ArtemisServer artemis = ArtemisServer.shared();
    artemis.declareQueue("things");
    all.putAll(Apps.freshPostgres("micronaut_switches"));
    all.put(Beans.ASKED, "sender,handlers,greeter");
    all.put("test.jms", "true");
    all.put("test.jms.url", artemis.url());
  }

  @ParameterizedTest
  @CsvSource({
    "postroad.enabled, FALSE",
    "postroad.relay.enabled, FALSE",
    "postroad.relay.enabled, ' false '",
    "postroad.relay.enabled, Off",
    "postroad.inbox.enabled, FALSE",
    "postroad.commands.enabled, No",
    "postroad.health.enabled, False",
    "postroad.jms.receiver.enabled, FALSE"
  })
  void offIsOff(String property, String value) {
    assertThat(isThere(property, value)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "postroad.enabled, TRUE",
    "postroad.relay.enabled, True",
    "postroad.inbox.enabled, on",
    "postroad.commands.enabled, YES",
    "postroad.health.enabled, TRUE",
    "postroad.jms.receiver.enabled, TRUE",
    "postroad.jms.receiver.enabled, yes"
  })
  void onIsOn(String property, String value) {
    assertThat(isThere(property, value)).isTrue();
  }

  private boolean isThere(String property, String value) {
    try (ApplicationContext context = Apps.with(all, property, value).start()) {
      return context.containsBean(SWITCHED.get(property));
    }
  }

  @ParameterizedTest
  @CsvSource({"TRUE, NOTIFY", "' on ', NOTIFY", "No, LOCAL", "' FALSE ', LOCAL"})
  void remoteWakeUpIsASwitch(String value, PostgresOptions.WakeUpMode mode) {
    try (ApplicationContext context =
        Apps.with(all, "postroad.store.remote-wake-up", value).start()) {
      assertThat(context.getBean(PostgresOptions.class).wakeUpMode()).isEqualTo(mode);
    }
  }

  @ParameterizedTest
  @CsvSource({"TRUE, true", "' on ', true", "No, false", "' FALSE ', false"})
  void writesEnabledIsASwitch(String value, boolean allowed) {
    try (ApplicationContext context =
        Apps.with(all, "postroad.endpoint.writes-enabled", value).start()) {
      assertThat(context.getBean(EndpointProperties.class).allowsWrites()).isEqualTo(allowed);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postroad.enabled",
        "postroad.relay.enabled",
        "postroad.inbox.enabled",
        "postroad.commands.enabled",
        "postroad.health.enabled",
        "postroad.jms.receiver.enabled",
        "postroad.store.remote-wake-up",
        "postroad.endpoint.writes-enabled"
      })
  void textThatIsNeitherIsRefused(String property) {
    assertThatThrownBy(() -> Apps.with(all, property, "maybe").start().close())
        .hasMessageContaining(property + " is 'maybe', which is neither true nor false")
        .hasMessageContaining("Set " + property + " to true or false");
  }
}
