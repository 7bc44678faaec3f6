package io.postroad.command;

import io.postroad.inbox.Handlers;
import io.postroad.internal.command.BusLoops;
import io.postroad.internal.command.CommandAcceptor;
import io.postroad.internal.command.CommandCompleter;
import io.postroad.internal.command.CommandEvents;
import io.postroad.internal.command.CommandHandlers;
import io.postroad.internal.command.CommandParts;
import io.postroad.internal.command.CommandReceiver;
import io.postroad.internal.command.CommandRoutes;
import io.postroad.internal.command.CommandTraces;
import io.postroad.internal.command.CommandWire;
import io.postroad.internal.command.Fingerprint;
import io.postroad.internal.command.Outcomes;
import io.postroad.internal.command.ReplyFutures;
import io.postroad.internal.command.RunThreads;
import io.postroad.internal.command.StepCommands;
import io.postroad.internal.command.StepHandoff;
import io.postroad.internal.command.StepListener;
import io.postroad.message.JsonCodec;
import io.postroad.message.WireHeaders;
import io.postroad.outbox.Outbox;
import io.postroad.spi.CommandStore;
import io.postroad.spi.StoredCommand;
import io.postroad.trace.Tracing;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Accepts commands, has each handled once, and keeps its reply: ACCEPT, CLAIM, HANDLE, REPLY.
 *
 * <pre>{@code
 * CommandBus<Connection> bus = CommandBus.builder(store, codec).handlers(registry).build();
 * bus.start();
 * UUID commandId = bus.accept("CreateOrder", requestId, "order-456", json, Map.of());
 * CommandReply reply = bus.await(commandId).get(5, TimeUnit.SECONDS);
 * }</pre>
 *
 * <p>A command has a row from its acceptance on. The work of the handler, the outcome in that row
 * and the reply in the outbox are one transaction. A crash leaves all of it or nothing; in the
 * second case another node handles the command when its lease has expired. Commands with a handler
 * on this database need no broker. Commands for other services, and their replies, are sent through
 * the outbox.
 *
 * <p>Safe to use from many threads. Starting twice, stopping twice and stopping before the start
 * are legal. Store and outbox stay open.
 *
 * @param <T> the type of a transaction of the database
 */
public final class CommandBus<T> implements AutoCloseable {
  static {
    StepCommands.Access.grant(
        new StepCommands.Access() {
          @Override
          protected <T> StepCommands<T> port(CommandBus<T> bus) {
            return bus.steps;
          }
        });
  }

  private final CommandParts<T> parts;
  private final JsonCodec codec;
  private final Outcomes outcomes;
  private final CommandAcceptor<T> acceptor;
  private final CommandReceiver<T> receiver;
  private final StepHandoff<T> steps;
  private final BusLoops<T> loops;

  private CommandBus(Builder<T> from) {
    codec = from.codec;
    outcomes = new Outcomes(codec);
    CommandStore<T> store = from.store;
    CommandOptions options = from.options;
    CommandEvents events = new CommandEvents(options, from.observer);
    CommandRoutes routes =
        new CommandRoutes(
            from.destinations,
            from.elsewhere,
            Optional.ofNullable(from.replyTo),
            Optional.ofNullable(from.owner));
    CommandWire wire = new CommandWire(codec, outcomes);
    parts =
        new CommandParts<>(
            store,
            from.transactions,
            options,
            events,
            new CommandCompleter<>(
                store, from.outbox, wire, routes, StepListener.of(from.listener)),
            new ReplyFutures<>(store, outcomes, options, events),
            new CommandHandlers<>(
                from.registry, store, from.rule, new CommandTraces(Tracing.guarded(from.tracing))),
            new RunThreads<>(options.name(), from.transactions));
    acceptor = new CommandAcceptor<>(parts, routes, new Fingerprint(codec), outcomes);
    receiver = new CommandReceiver<>(parts, acceptor, wire);
    steps = new StepHandoff<>(parts, acceptor);
    loops = new BusLoops<>(parts, steps);
  }

  /** Returns a builder for a bus over this store; the codec reads payloads and writes replies. */
  public static <T> Builder<T> builder(CommandStore<T> store, JsonCodec codec) {
    return new Builder<>(store, codec);
  }

  public CommandOptions options() {
    return parts.options();
  }

  /** Returns the types that this bus accepts: handled by this node, or known to be elsewhere. */
  public Set<String> types() {
    return acceptor.types();
  }

  /**
   * Accepts a command, in the unit of work that this thread is in, or in one of its own.
   *
   * @param payload a JSON object
   * @return the id of the command; that of the first one if the same command was accepted with this
   *     key before and has not ended
   * @throws DuplicateCommandException when the key belongs to a command that has ended, or to
   *     another command; it carries the id and reply of that command
   * @throws IllegalArgumentException when the type is unknown, or a text or the payload does not
   *     fit; nothing was written
   */
  public UUID accept(
      String type,
      String idempotencyKey,
      String businessKey,
      String payload,
      Map<String, String> headers) {
    return accept(
        CommandRequest.of(type, idempotencyKey, businessKey, payload).withHeaders(headers));
  }

  /** Accepts a command object like {@link #accept(String, String, String, String, Map)}. */
  public UUID accept(
      DomainCommand command,
      String idempotencyKey,
      String businessKey,
      Map<String, String> headers) {
    String type = CommandType.of(command.getClass());
    return accept(type, idempotencyKey, businessKey, codec.encode(command), headers);
  }

  /** Accepts a command like {@link #accept(String, String, String, String, Map)}. */
  public UUID accept(CommandRequest request) {
    return acceptor.accept(request);
  }

  /**
   * Accepts a command in a transaction of the caller. Call {@link #wakeUp()} after its commit,
   * unless it is the current unit of work, or the workers find the command at their next poll.
   *
   * @throws NoTransactionException when {@code transaction} is not an open one
   */
  public UUID accept(T transaction, CommandRequest request) {
    return acceptor.accept(transaction, request);
  }

  /**
   * Accepts a command and waits for its reply without blocking. Waits for a command that was
   * accepted before, and gives the reply of one that has ended; so this may be repeated.
   *
   * <p>Call it outside of a unit of work, or wait after the commit: there is no reply before.
   *
   * @throws DuplicateCommandException when the key belongs to another command
   */
  public CompletableFuture<CommandReply> submit(CommandRequest request) {
    loops.requireStarted();
    return acceptor.submit(request);
  }

  /**
   * Returns a future for the reply of a command: completed at once when this node handles it, soon
   * after when another node does. It fails when the bus is closed before.
   *
   * @throws IllegalStateException when the bus was not started, or has too many open futures
   */
  public CompletableFuture<CommandReply> await(UUID commandId) {
    loops.requireStarted();
    return parts.futures().await(commandId);
  }

  /** Returns the stored reply; empty when the command has not ended or was deleted. */
  public Optional<CommandReply> findReply(UUID commandId) {
    return find(commandId).flatMap(outcomes::reply);
  }

  /** Returns the stored reply of the command that has this idempotency key. */
  public Optional<CommandReply> findReplyByKey(String idempotencyKey) {
    return parts.store().findByKey(idempotencyKey).flatMap(outcomes::reply);
  }

  /** Returns the command with its status, the node that has it, and its last error. */
  public Optional<StoredCommand> find(UUID commandId) {
    return parts.store().find(commandId);
  }

  /**
   * Cancels a command that is still queued: it has failed with {@link FailureCode#CANCELLED} and is
   * replied to so. The bus no longer waits for a command that was sent to another service, which
   * may still handle it.
   *
   * @param reason for the reply
   * @return false when the command is unknown, has ended, or a worker has taken it
   */
  public boolean cancel(UUID commandId, String reason) {
    return steps.cancel(commandId, reason);
  }

  /** Tells the workers that a command was committed. Never blocks and never fails. */
  public void wakeUp() {
    parts.store().wakeUps().signal();
  }

  /**
   * Receives commands and replies over a broker: adds a handler for each destination to those of an
   * inbox in this database.
   *
   * <p>Receivers take only replies with the name of this service, {@link Builder#owner}, or none.
   *
   * @param destinations where commands arrive, by the type that is handled here; for example {@code
   *     APP.CMD.CREATEORDER.Q} for {@code CreateOrder}
   * @throws IllegalArgumentException when a type has no handler here, or its commands come from the
   *     destination of replies
   */
  public Handlers.Builder<T> receive(
      Handlers.Builder<T> handlers, Map<String, String> destinations) {
    receiver.receive(handlers, destinations);
    return handlers;
  }

  /** Starts to handle commands, to end overdue ones and to delete old ones. */
  public void start() {
    loops.start();
  }

  /**
   * Stops claiming commands, gives back those that have not begun, and waits up to {@link
   * CommandOptions#drainFor()} for those that run. A run that takes longer is rolled back.
   */
  public void stop() {
    loops.stop();
  }

  /** Stops the bus, and fails the futures of waiting callers. */
  @Override
  public void close() {
    loops.close();
  }

  /** Tells whether it was started and all its threads are alive. */
  public boolean isRunning() {
    return loops.isRunning();
  }

  /** Returns how many commands this node handles now; zero while it is not started. */
  public int inFlight() {
    return loops.inFlight();
  }

  /**
   * Handles due commands once, on the thread of the caller, ends overdue ones and deletes old ones.
   *
   * @return how many commands were claimed
   * @throws IllegalStateException while it is started
   */
  public int runOnce() {
    return loops.runOnce();
  }

  /** Collects the parts of a bus. Not thread-safe. */
  public static final class Builder<T> {
    private final CommandStore<T> store;
    private final JsonCodec codec;
    private final Map<String, String> destinations = new HashMap<>();
    private final Set<String> elsewhere = new TreeSet<>();
    private CommandOptions options = CommandOptions.defaults();
    private CommandObserver observer = CommandObserver.none();
    private ReplyListener<T> listener = ReplyListener.none();
    private RetryRule rule = RetryRule.never();
    private Tracing tracing = Tracing.none();
    private AutoCommandHandlerRegistry<T> registry;
    private Transactions<T> transactions;
    private @Nullable Outbox<T> outbox;
    private @Nullable String replyTo;
    private @Nullable String owner;

    private Builder(CommandStore<T> store, JsonCodec codec) {
      this.store = store;
      this.codec = codec;
      this.registry = AutoCommandHandlerRegistry.<T>builder(codec).build();
      this.transactions = store.transactions();
    }

    /** Sets the commands that this node handles. */
    public Builder<T> handlers(AutoCommandHandlerRegistry<T> registry) {
      this.registry = registry;
      return this;
    }

    /** Names types that other nodes on the same database handle, and this one only accepts. */
    public Builder<T> handledElsewhere(String... types) {
      for (String type : types) {
        elsewhere.add(CommandType.check(type));
      }
      return this;
    }

    /** Sends commands of this type to this destination, through the outbox. */
    public Builder<T> send(String type, String destination) {
      destinations.put(CommandType.check(type), destination);
      return this;
    }

    /** Sets where replies to sent commands arrive; needs an {@link #owner}. */
    public Builder<T> replyTo(String destination) {
      this.replyTo = destination;
      return this;
    }

    /**
     * Names this service among those that share its {@link #replyTo} destination; required with it.
     * Replies carry the name in the header {@code reply-owner}, and a receiver of {@link
     * CommandBus#receive} takes only its own: on JMS by a selector, on Kafka in a group of its own.
     * All nodes of a service have one name; two databases need two.
     */
    public Builder<T> owner(String service) {
      if (service.isBlank()) {
        throw new IllegalArgumentException(
            "the owner of replies must not be blank: give the name of this service");
      }
      this.owner = WireHeaders.checkedValue(CommandWire.REPLY_OWNER, service);
      return this;
    }

    /** Sets the outbox, in the same database, that sends commands and replies. */
    public Builder<T> outbox(Outbox<T> outbox) {
      this.outbox = outbox;
      return this;
    }

    /**
     * Sets the units of work in which commands are accepted and handled; of the store by default.
     */
    public Builder<T> transactions(Transactions<T> transactions) {
      this.transactions = transactions;
      return this;
    }

    public Builder<T> options(CommandOptions options) {
      this.options = options;
      return this;
    }

    public Builder<T> observer(CommandObserver observer) {
      this.observer = observer;
      return this;
    }

    /** Traces commands from their creation to their handler; off by default. */
    public Builder<T> tracing(Tracing tracing) {
      this.tracing = tracing;
      return this;
    }

    /** Sets a listener that takes part in the transactions in which commands end. */
    public Builder<T> replyListener(ReplyListener<T> listener) {
      this.listener = listener;
      return this;
    }

    /**
     * Sets the rule for failures that Postroad does not know; none of them is retried by default.
     */
    public Builder<T> retryRule(RetryRule rule) {
      this.rule = rule;
      return this;
    }

    /**
     * Builds the bus, not started.
     *
     * @throws IllegalStateException when commands are sent without an outbox or a destination for
     *     replies, or replies come back without an {@link #owner}
     */
    public CommandBus<T> build() {
      return new CommandBus<>(this);
    }
  }
}
