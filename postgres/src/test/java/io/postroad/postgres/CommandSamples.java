package io.postroad.postgres;

import io.postroad.message.MessageIds;
import io.postroad.store.CommandClaim;
import io.postroad.store.CommandOutcome;
import io.postroad.store.CommandStore.Acceptance;
import io.postroad.store.NewCommand;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Commands for tests of one store. */
final class CommandSamples {
  static final Duration LEASE = Duration.ofMinutes(5);
  static final CommandOutcome COMPLETED = CommandOutcome.completed("{}");

  private CommandSamples() {}

  static NewCommand command(String type, String key) {
    return command(type, key, Optional.empty());
  }

  static NewCommand within(String key, Duration timeout) {
    return command("T", key, Optional.of(timeout));
  }

  private static NewCommand command(String type, String key, Optional<Duration> timeout) {
    UUID id = MessageIds.next();
    return new NewCommand(
        id,
        type,
        key,
        "order-1",
        "{\"customer\":\"c-1\"}",
        "fingerprint",
        Map.of(),
        id,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        timeout,
        false);
  }

  static Acceptance accept(PostgresCommandStore store, NewCommand command) {
    return store
        .transactions()
        .<Acceptance, RuntimeException>call(connection -> store.accept(connection, command));
  }

  static CommandClaim taken(PostgresCommandStore store, NewCommand command) {
    accept(store, command);
    return store.claim("node-1", Set.of(command.type()), 1, LEASE).get(0);
  }
}
