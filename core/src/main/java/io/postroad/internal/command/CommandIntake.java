package io.postroad.internal.command;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandRequest;
import io.postroad.message.MessageIds;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandStore;
import io.postroad.spi.CommandStore.Acceptance;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * ACCEPT: a request becomes a row, once for each idempotency key, and a message where it is handled
 * elsewhere. Safe to use from many threads.
 */
public final class CommandIntake<T> {
  private final CommandStore<T> store;
  private final AutoCommandHandlerRegistry<T> registry;
  private final Map<String, String> destinations;
  private final Set<String> elsewhere;
  private final Optional<String> replyTo;
  private final Optional<String> owner;
  private final Duration replyWithin;
  private final Fingerprint fingerprint;
  private final CommandEnding<T> ending;
  private final CommandNews news;
  private final CommandTraces traces;

  public CommandIntake(
      CommandStore<T> store,
      AutoCommandHandlerRegistry<T> registry,
      Map<String, String> destinations,
      Set<String> elsewhere,
      @Nullable String replyTo,
      @Nullable String owner,
      Duration replyWithin,
      Fingerprint fingerprint,
      CommandEnding<T> ending,
      CommandNews news,
      CommandTraces traces) {
    this.store = store;
    this.registry = registry;
    this.destinations = Map.copyOf(destinations);
    this.elsewhere = Set.copyOf(elsewhere);
    this.replyTo = Optional.ofNullable(replyTo);
    this.owner = Optional.ofNullable(owner);
    this.replyWithin = replyWithin;
    this.fingerprint = fingerprint;
    this.ending = ending;
    this.news = news;
    this.traces = traces;
  }

  /** A command of a caller, which goes where its type is handled. */
  public NewCommand prepared(CommandRequest request) {
    requireKnown(request.type());
    Optional<String> destination = Optional.ofNullable(destinations.get(request.type()));
    if (destination.isPresent() && request.replyTo().isPresent()) {
      throw new IllegalArgumentException(
          "a %s command is sent to '%s', and its reply comes to %s, where this bus waits for it;"
                  .formatted(request.type(), destination.get(), replyTo.orElse("nobody"))
              + " leave out replyTo(..)");
    }
    return command(
        request,
        request.id().orElseGet(MessageIds::next),
        destination,
        destination.isPresent() ? replyTo : request.replyTo(),
        destination.isPresent() ? withOwner(request.headers(), owner) : request.headers(),
        destination.isPresent() ? Optional.of(timeout(request)) : request.timeout());
  }

  /** How long the reply to a command may take that is sent: it must end, even without a reply. */
  private Duration timeout(CommandRequest request) {
    return request.timeout().orElseGet(() -> replyWithin.plus(untilSent(request)));
  }

  /** By this node's clock: a few seconds make no difference to a deadline of days. */
  private static Duration untilSent(CommandRequest request) {
    return request
        .notBefore()
        .map(time -> Duration.between(Instant.now(), time))
        .filter(wait -> !wait.isNegative())
        .orElse(Duration.ZERO);
  }

  /** Refuses what {@link #prepared} and {@link #accept} would refuse; writes nothing. */
  public void check(CommandRequest request) {
    requireKnown(request.type());
    @Nullable String destination = destinations.get(request.type());
    if (destination != null) {
      ending.check(prepared(request), destination);
    }
  }

  private void requireKnown(String type) {
    if (!canAccept(type)) {
      throw registry.unknown(type);
    }
  }

  public boolean canAccept(String type) {
    return destinations.containsKey(type) || registry.hasHandler(type) || elsewhere.contains(type);
  }

  /** Kept among the headers: it goes out with the command and comes back with the reply. */
  private static Map<String, String> withOwner(
      Map<String, String> headers, Optional<String> owner) {
    if (owner.isEmpty()) {
      return headers;
    }
    Map<String, String> more = new HashMap<>(headers);
    more.put(CommandWire.REPLY_OWNER, owner.get());
    return more;
  }

  /** A command that came over a broker, to be handled here. */
  NewCommand arrived(CommandWire.Arrived arrived) {
    CommandRequest request = arrived.request();
    return command(
        request,
        arrived.id(),
        Optional.empty(),
        request.replyTo(),
        withOwner(request.headers(), arrived.owner()),
        request.timeout());
  }

  private NewCommand command(
      CommandRequest request,
      UUID id,
      Optional<String> destination,
      Optional<String> reply,
      Map<String, String> headers,
      Optional<Duration> timeout) {
    return new NewCommand(
        id,
        request.type(),
        request.idempotencyKey(),
        request.businessKey(),
        request.payload(),
        fingerprint.of(request.type(), request.payload()),
        headers,
        request.correlationId().orElse(id),
        destination,
        reply,
        request.notBefore(),
        timeout,
        request.lateAllowed());
  }

  public boolean isSent(String type) {
    return destinations.containsKey(type);
  }

  public boolean hasHandler(String type) {
    return registry.hasHandler(type);
  }

  public IllegalArgumentException unknown(String type) {
    return registry.unknown(type);
  }

  /** Writes it down, and sends it where it is handled, in the caller's transaction. */
  public Acceptance accept(T transaction, NewCommand command) {
    return accept(transaction, command, traced -> store.accept(transaction, traced));
  }

  /** Writes it down as taken by this node, in the caller's transaction. */
  Acceptance acceptTaken(T transaction, NewCommand command, String node, Duration leaseFor) {
    return accept(
        transaction, command, traced -> store.acceptTaken(transaction, traced, node, leaseFor));
  }

  /** Takes it without writing it down; the claim of it. */
  CommandClaim carry(NewCommand command) {
    return traces.created(
        command,
        traced -> {
          news.accepted(traced);
          return CommandClaim.carried(traced);
        });
  }

  /** Writes down what was carried, as taken by this node; empty when it has a row. */
  public Optional<CommandClaim> writeCarried(NewCommand command, String node, Duration leaseFor) {
    return traces.created(command, traced -> store.writeCarried(traced, node, leaseFor));
  }

  private Acceptance accept(
      T transaction, NewCommand command, Function<NewCommand, Acceptance> write) {
    return traces.created(command, traced -> write(transaction, traced, write));
  }

  private Acceptance write(
      T transaction, NewCommand command, Function<NewCommand, Acceptance> write) {
    command.destination().ifPresent(to -> ending.check(command, to));
    command
        .replyTo()
        .ifPresent(
            to -> {
              var unused = ending.requireOutbox("reply to '" + to + "'");
            });
    Acceptance acceptance = write.apply(command);
    if (acceptance.isNew()) {
      command
          .destination()
          .ifPresent(destination -> ending.send(transaction, destination, acceptance.command()));
      news.accepted(command);
    } else {
      news.repeated(acceptance.command().command(), isSame(command, acceptance.command()));
    }
    return acceptance;
  }

  public static boolean isSame(NewCommand command, StoredCommand known) {
    return known.command().fingerprint().equals(command.fingerprint());
  }

  /** All types that can be accepted here. */
  public Set<String> types() {
    Set<String> types = new TreeSet<>(registry.types());
    types.addAll(destinations.keySet());
    types.addAll(elsewhere);
    return types;
  }
}
