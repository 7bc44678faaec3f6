package io.postroad.internal.command;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.DuplicateCommandException;
import io.postroad.message.MessageIds;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * ACCEPT: writes the row of a command, once for each idempotency key, and the message where another
 * service handles it. Safe to use from many threads.
 */
public final class CommandAcceptor<T> {
  private final CommandParts<T> parts;
  private final CommandRoutes routes;
  private final Fingerprint fingerprint;
  private final Outcomes outcomes;

  public CommandAcceptor(
      CommandParts<T> parts, CommandRoutes routes, Fingerprint fingerprint, Outcomes outcomes) {
    this.parts = parts;
    this.routes = routes;
    this.fingerprint = fingerprint;
    this.outcomes = outcomes;
  }

  /** Returns all types that can be accepted here. */
  public Set<String> types() {
    Set<String> types = new TreeSet<>(registry().types());
    types.addAll(routes.destinations().keySet());
    types.addAll(routes.elsewhere());
    return types;
  }

  private AutoCommandHandlerRegistry<T> registry() {
    return parts.handlers().registry();
  }

  CommandRoutes routes() {
    return routes;
  }

  /** Makes a command of a request; its type decides where it goes. */
  NewCommand prepared(CommandRequest request) {
    requireKnown(request.type());
    Optional<String> destination = Optional.ofNullable(routes.destinations().get(request.type()));
    if (destination.isEmpty()) {
      UUID id = request.id().orElseGet(MessageIds::next);
      return command(request, id, destination, request.headers());
    }
    if (request.replyTo().isPresent()) {
      throw new IllegalArgumentException(
          "a %s command is sent to '%s', and its reply comes to %s, where this bus waits for it;"
                  .formatted(request.type(), destination.get(), routes.replyTo().orElseThrow())
              + " leave out replyTo(..)");
    }
    CommandRequest sent = request.replyTo(routes.replyTo().orElseThrow()).within(timeout(request));
    return command(
        sent,
        request.id().orElseGet(MessageIds::next),
        destination,
        withOwner(request.headers(), routes.owner()));
  }

  /** Returns how long the reply to a sent command may take: it must end, even without a reply. */
  private Duration timeout(CommandRequest request) {
    return request
        .timeout()
        .orElseGet(() -> parts.options().replyWithin().plus(untilSent(request)));
  }

  /** Goes by the clock of this node: a few seconds make no difference to a deadline of days. */
  private static Duration untilSent(CommandRequest request) {
    return request
        .notBefore()
        .map(time -> Duration.between(Instant.now(), time))
        .filter(wait -> !wait.isNegative())
        .orElse(Duration.ZERO);
  }

  /** Refuses a request that {@link #prepared} or {@link #write} would refuse; writes nothing. */
  void check(CommandRequest request) {
    requireKnown(request.type());
    if (routes.isSent(request.type())) {
      parts.completer().checkSendable(prepared(request));
    }
  }

  private void requireKnown(String type) {
    if (!registry().hasHandler(type)
        && !routes.isSent(type)
        && !routes.elsewhere().contains(type)) {
      throw registry().unknown(type);
    }
  }

  /** Adds the owner to the headers: it goes out with the command and comes back with the reply. */
  private static Map<String, String> withOwner(
      Map<String, String> headers, Optional<String> owner) {
    if (owner.isEmpty()) {
      return headers;
    }
    Map<String, String> more = new HashMap<>(headers);
    more.put(CommandWire.REPLY_OWNER, owner.get());
    return more;
  }

  /** Makes a command of one that came over a broker, to be handled here. */
  NewCommand arrived(CommandWire.Arrived arrived) {
    CommandRequest request = arrived.request();
    return command(
        request, arrived.id(), Optional.empty(), withOwner(request.headers(), arrived.owner()));
  }

  private NewCommand command(
      CommandRequest request, UUID id, Optional<String> destination, Map<String, String> headers) {
    return new NewCommand(
        id,
        request.type(),
        request.idempotencyKey(),
        request.businessKey(),
        new NewCommand.Body(
            request.payload(), fingerprint.of(request.type(), request.payload()), headers),
        new NewCommand.Route(request.correlationId().orElse(id), destination, request.replyTo()),
        new NewCommand.Times(request.notBefore(), request.timeout(), request.lateAllowed()));
  }

  /**
   * Accepts a command in the transaction of the caller.
   *
   * @return its id, or that of the first one with the same key
   */
  public UUID accept(T transaction, CommandRequest request) {
    NewCommand command = prepared(request);
    return idOf(command, write(transaction, command));
  }

  /** Accepts a command in the current transaction of this thread, or in one of its own. */
  public UUID accept(CommandRequest request) {
    NewCommand command = prepared(request);
    return idOf(command, write(command));
  }

  /** Accepts a command and returns a future for its reply, also of one that was accepted before. */
  public CompletableFuture<CommandReply> submit(CommandRequest request) {
    NewCommand command = prepared(request);
    Acceptance acceptance = write(command);
    refuseDifferent(command, acceptance);
    return outcomes
        .reply(acceptance.command())
        .map(CompletableFuture::completedFuture)
        .orElseGet(() -> parts.futures().await(acceptance.command().id()));
  }

  /** Throws nothing of its own inside the transaction, which would make an outer one fail. */
  Acceptance write(NewCommand command) {
    return parts.transactions().call(transaction -> write(transaction, command));
  }

  /** Writes a command to the queue, or sends it, and wakes the workers after the commit. */
  Acceptance write(T transaction, NewCommand command) {
    Acceptance acceptance =
        write(transaction, command, traced -> parts.store().accept(transaction, traced));
    parts.transactions().afterCommitOf(transaction, parts.store().wakeUps()::signal);
    return acceptance;
  }

  /** Writes a command as leased to this node. */
  Acceptance writeLeased(T transaction, NewCommand command) {
    return write(
        transaction,
        command,
        traced ->
            parts
                .store()
                .acceptTaken(
                    transaction, traced, parts.options().name(), parts.options().leaseFor()));
  }

  private Acceptance write(
      T transaction, NewCommand command, Function<NewCommand, Acceptance> insert) {
    return parts
        .handlers()
        .traces()
        .created(command, traced -> insert(transaction, traced, insert));
  }

  private Acceptance insert(
      T transaction, NewCommand command, Function<NewCommand, Acceptance> insert) {
    parts.completer().checkSendable(command);
    Acceptance acceptance = insert.apply(command);
    if (acceptance.isNew()) {
      parts.completer().send(transaction, acceptance.command());
      parts.events().accepted(command);
    } else {
      parts
          .events()
          .repeated(acceptance.command().command(), isSame(command, acceptance.command()));
    }
    return acceptance;
  }

  static boolean isSame(NewCommand command, StoredCommand known) {
    return known.command().fingerprint().equals(command.fingerprint());
  }

  UUID idOf(NewCommand command, Acceptance acceptance) {
    refuseDifferent(command, acceptance);
    Optional<CommandReply> reply = outcomes.reply(acceptance.command());
    if (!acceptance.isNew() && reply.isPresent()) {
      throw DuplicateCommandException.ended(command.idempotencyKey(), reply.get());
    }
    return acceptance.command().id();
  }

  /** Refuses a command whose key belongs to another one. */
  private void refuseDifferent(NewCommand command, Acceptance acceptance) {
    if (!acceptance.isNew() && !isSame(command, acceptance.command())) {
      throw different(command, acceptance.command());
    }
  }

  DuplicateCommandException different(NewCommand command, StoredCommand known) {
    return DuplicateCommandException.different(
        command.idempotencyKey(), known.id(), known.command().type(), outcomes.reply(known));
  }
}
