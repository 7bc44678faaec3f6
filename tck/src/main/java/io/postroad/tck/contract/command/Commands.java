package io.postroad.tck.contract.command;

import io.postroad.message.MessageIds;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandStore;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Commands for contracts, and short words for what every test does with them. */
public final class Commands {
  public static final String TYPE = "CreateOrder";
  public static final Duration LEASE = Duration.ofMinutes(5);
  public static final CommandOutcome COMPLETED = CommandOutcome.completed("{\"orderId\":1}");

  private Commands() {}

  public static NewCommand command(String key) {
    return command(TYPE, key, Optional.empty(), Optional.empty());
  }

  static NewCommand ofType(String type, String key) {
    return command(type, key, Optional.empty(), Optional.empty());
  }

  static NewCommand notBefore(String key, Instant time) {
    return command(TYPE, key, Optional.of(time), Optional.empty());
  }

  static NewCommand within(String key, Duration timeout) {
    return command(TYPE, key, Optional.empty(), Optional.of(timeout));
  }

  private static NewCommand command(
      String type, String key, Optional<Instant> notBefore, Optional<Duration> timeout) {
    UUID id = MessageIds.next();
    return new NewCommand(
        id,
        type,
        key,
        "order-456",
        "{\"customer\":\"c-1\"}",
        "fingerprint-1",
        Map.of("tenant", "north"),
        id,
        Optional.empty(),
        Optional.empty(),
        notBefore,
        timeout,
        false);
  }

  static NewCommand elsewhere(NewCommand command, String destination) {
    return new NewCommand(
        command.id(),
        command.type(),
        command.idempotencyKey(),
        command.businessKey(),
        command.payload(),
        command.fingerprint(),
        command.headers(),
        command.correlationId(),
        Optional.of(destination),
        Optional.of("APP.CMD.REPLY.Q"),
        command.notBefore(),
        command.timeout(),
        command.lateAllowed());
  }

  static NewCommand mayBeLate(NewCommand command) {
    return new NewCommand(
        command.id(),
        command.type(),
        command.idempotencyKey(),
        command.businessKey(),
        command.payload(),
        command.fingerprint(),
        command.headers(),
        command.correlationId(),
        command.destination(),
        command.replyTo(),
        command.notBefore(),
        command.timeout(),
        true);
  }

  static CommandStore.Acceptance accept(CommandStore<Object> store, NewCommand command) {
    return store
        .transactions()
        .<CommandStore.Acceptance, RuntimeException>call(
            transaction -> store.accept(transaction, command));
  }

  /** Accepts it as one that {@code node-1} has taken. */
  static CommandStore.Acceptance acceptTaken(CommandStore<Object> store, NewCommand command) {
    return store
        .transactions()
        .<CommandStore.Acceptance, RuntimeException>call(
            transaction -> store.acceptTaken(transaction, command, "node-1", LEASE));
  }

  static List<CommandClaim> claim(CommandStore<Object> store, int limit) {
    return store.claim("node-1", Set.of(TYPE), limit, LEASE);
  }

  static CommandClaim acceptAndClaim(CommandStore<Object> store, NewCommand command) {
    accept(store, command);
    return store.claim("node-1", Set.of(command.type()), 1, LEASE).get(0);
  }

  static boolean finish(CommandStore<Object> store, CommandClaim claim, CommandOutcome outcome) {
    return store
        .transactions()
        .<Boolean, RuntimeException>call(transaction -> store.finish(transaction, claim, outcome));
  }

  static CommandStore.Opening open(CommandStore<Object> store, CommandClaim claim) {
    return store
        .transactions()
        .<CommandStore.Opening, RuntimeException>call(
            transaction -> store.open(transaction, claim));
  }

  static List<StoredCommand> expire(CommandStore<Object> store, int limit) {
    return store
        .transactions()
        .<List<StoredCommand>, RuntimeException>call(
            transaction ->
                store.expire(transaction, CommandOutcome.timedOut("nobody was in time"), limit));
  }

  static Optional<StoredCommand> cancel(CommandStore<Object> store, UUID id) {
    return store
        .transactions()
        .<Optional<StoredCommand>, RuntimeException>call(
            transaction ->
                store.cancel(transaction, id, CommandOutcome.failed("CANCELLED", "not wanted")));
  }

  static Optional<StoredCommand> recall(CommandStore<Object> store, UUID id) {
    return store
        .transactions()
        .<Optional<StoredCommand>, RuntimeException>call(
            transaction ->
                store.recall(transaction, id, CommandOutcome.failed("CANCELLED", "not wanted")));
  }

  static Optional<StoredCommand> reply(CommandStore<Object> store, UUID id) {
    return store
        .transactions()
        .<Optional<StoredCommand>, RuntimeException>call(
            transaction -> store.reply(transaction, id, COMPLETED));
  }

  static StoredCommand find(CommandStore<Object> store, UUID id) {
    return store.find(id).orElseThrow(() -> new AssertionError("command " + id + " is gone"));
  }
}
