package io.postroad.tck.contract.command;

import io.postroad.message.MessageIds;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandQueue;
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

/** Makes commands for contracts, and calls the verbs of a store that every test uses. */
public final class Commands {
  public static final String TYPE = "CreateOrder";
  public static final Duration LEASE = Duration.ofMinutes(5);

  /** Longer than any test moves the clock. */
  static final Duration LONGEST = Duration.ofDays(365);

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
        new NewCommand.Body("{\"customer\":\"c-1\"}", "fingerprint-1", Map.of("tenant", "north")),
        new NewCommand.Route(id, Optional.empty(), Optional.empty()),
        new NewCommand.Times(notBefore, timeout, false));
  }

  static NewCommand elsewhere(NewCommand command, String destination) {
    return with(
        command,
        new NewCommand.Route(
            command.correlationId(), Optional.of(destination), Optional.of("APP.CMD.REPLY.Q")),
        command.times());
  }

  static NewCommand mayBeLate(NewCommand command) {
    return with(
        command,
        command.route(),
        new NewCommand.Times(command.notBefore(), command.timeout(), true));
  }

  private static NewCommand with(
      NewCommand command, NewCommand.Route route, NewCommand.Times times) {
    return new NewCommand(
        command.id(),
        command.type(),
        command.idempotencyKey(),
        command.businessKey(),
        command.body(),
        route,
        times);
  }

  static CommandQueue.Acceptance accept(CommandStore<Object> store, NewCommand command) {
    return store
        .transactions()
        .<CommandQueue.Acceptance, RuntimeException>call(
            transaction -> store.accept(transaction, command));
  }

  /** Accepts a command as taken by {@code node-1}. */
  static CommandQueue.Acceptance acceptTaken(CommandStore<Object> store, NewCommand command) {
    return store
        .transactions()
        .<CommandQueue.Acceptance, RuntimeException>call(
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

  static CommandEnds.Opening open(CommandStore<Object> store, CommandClaim claim) {
    return store
        .transactions()
        .<CommandEnds.Opening, RuntimeException>call(
            transaction -> store.open(transaction, claim, LONGEST));
  }

  static List<StoredCommand> expire(CommandStore<Object> store, int limit) {
    return store
        .transactions()
        .<List<StoredCommand>, RuntimeException>call(
            transaction ->
                store.expire(
                    transaction,
                    CommandOutcome.timedOut("the deadline has passed"),
                    limit,
                    List.of()));
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
