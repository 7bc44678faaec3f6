package io.postroad.mongodb;

import io.postroad.message.MessageIds;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.NewCommand;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Commands for tests. */
public final class TestCommands {
  public static final String TYPE = "CreateOrder";
  public static final CommandOutcome COMPLETED = CommandOutcome.completed("{\"orderId\":1}");

  private TestCommands() {}

  public static NewCommand command(String key) {
    return command(MessageIds.next(), key);
  }

  public static NewCommand command(UUID id, String key) {
    return command(id, TYPE, key, Optional.empty());
  }

  public static NewCommand ofType(String type, String key) {
    return command(MessageIds.next(), type, key, Optional.empty());
  }

  public static NewCommand within(String key, Duration timeout) {
    return command(MessageIds.next(), TYPE, key, Optional.of(timeout));
  }

  public static NewCommand command(UUID id, String type, String key, Optional<Duration> timeout) {
    return new NewCommand(
        id,
        type,
        key,
        "order-456",
        new NewCommand.Body("{\"customer\":\"c-1\"}", "fingerprint-1", Map.of("tenant", "north")),
        new NewCommand.Route(id, Optional.empty(), Optional.empty()),
        new NewCommand.Times(Optional.empty(), timeout, false));
  }
}
