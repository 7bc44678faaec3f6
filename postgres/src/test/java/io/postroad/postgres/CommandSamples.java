package io.postroad.postgres;

import io.postroad.message.MessageIds;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.NewCommand;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Commands for tests of one store. */
public final class CommandSamples {
  public static final Duration LEASE = Duration.ofMinutes(5);
  public static final CommandOutcome COMPLETED = CommandOutcome.completed("{}");

  private CommandSamples() {}

  public static NewCommand command(String type, String key) {
    return command(type, key, Optional.empty());
  }

  public static NewCommand within(String key, Duration timeout) {
    return command("T", key, Optional.of(timeout));
  }

  private static NewCommand command(String type, String key, Optional<Duration> timeout) {
    UUID id = MessageIds.next();
    return new NewCommand(
        id,
        type,
        key,
        "order-1",
        new NewCommand.Body("{\"customer\":\"c-1\"}", "fingerprint", Map.of()),
        new NewCommand.Route(id, Optional.empty(), Optional.empty()),
        new NewCommand.Times(Optional.empty(), timeout, false));
  }

  public static Acceptance accept(PostgresCommandStore store, NewCommand command) {
    return store
        .transactions()
        .<Acceptance, RuntimeException>call(connection -> store.accept(connection, command));
  }

  public static CommandClaim taken(PostgresCommandStore store, NewCommand command) {
    accept(store, command);
    return store.claim("node-1", Set.of(command.type()), 1, LEASE).get(0);
  }
}
