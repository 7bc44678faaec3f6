package io.postroad.command;

import io.postroad.inbox.Handlers;
import io.postroad.internal.command.Chains;
import io.postroad.internal.command.CommandEnding;
import io.postroad.internal.command.CommandIntake;
import io.postroad.internal.command.CommandKeeper;
import io.postroad.internal.command.CommandNews;
import io.postroad.internal.command.CommandParts;
import io.postroad.internal.command.CommandReception;
import io.postroad.internal.command.CommandTaker;
import io.postroad.internal.command.CommandTraces;
import io.postroad.internal.command.CommandWire;
import io.postroad.internal.command.Fingerprint;
import io.postroad.internal.command.HereIntake;
import io.postroad.internal.command.Outcomes;
import io.postroad.internal.command.ReplyFutures;
import io.postroad.internal.command.Transience;
import io.postroad.internal.loop.Alarms;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.message.JsonCodec;
import io.postroad.message.WireHeaders;
import io.postroad.outbox.Outbox;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandStore;
import io.postroad.spi.CommandStore.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.Threads;
import io.postroad.trace.Tracing;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * <p>A command is a row from the moment it is accepted. The handler, the outcome in that row and
 * the reply in the outbox are one transaction: a crash leaves all of it or nothing, and then
 * another node handles the command when the lease has expired. Commands whose handler is in this
 * database need no broker; those of other services are sent through the outbox and replied to the
 * same way.
 *
 * <p>Safe to use from many threads. Starting twice, stopping twice and stopping before the start
 * are legal. Store and outbox stay open.
 *
 * @param <T> what a transaction of the database is
 */
public final class CommandBus<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CommandBus.class);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  private final CommandStore<T> store;
  private final Transactions<T> transactions;
  private final JsonCodec codec;
  private final CommandOptions options;
  private final CommandNews news;
  private final Outcomes outcomes;
  private final CommandIntake<T> intake;
  private final CommandEnding<T> ending;
  private final CommandReception<T> reception;
  private final CommandParts<T> parts;
  private final ReplyFutures<T> futures;
  private final ExecutorService threads;
  private final @Nullable String replyTo;
  private final @Nullable String owner;
  private volatile @Nullable Running running;
  private boolean closed;

  private CommandBus(Builder<T> from) {
    store = from.store;
    codec = from.codec;
    options = from.options;
    replyTo = from.replyTo;
    owner = from.owner;
    transactions = from.transactions == null ? store.transactions() : from.transactions;
    news = new CommandNews(options, from.observer);
    outcomes = new Outcomes(codec);
    CommandTraces traces = new CommandTraces(Tracing.guarded(from.tracing));
    CommandWire wire = new CommandWire(codec);
    AutoCommandHandlerRegistry<T> registry =
        from.registry == null
            ? AutoCommandHandlerRegistry.<T>builder(codec).build()
            : from.registry;
    ending =
        new CommandEnding<>(
            store, from.outbox, wire, outcomes, from.listener, !from.destinations.isEmpty());
    from.destinations.values().forEach(to -> ending.requireOutbox("send commands to '" + to + "'"));
    if (!from.destinations.isEmpty() && replyTo == null) {
      throw new IllegalStateException(
          "commands of %s are sent, but nobody would hear how they end: say where replies come to"
                  .formatted(from.destinations.keySet())
              + " with CommandBus.builder(..).replyTo(destination)");
    }
    if (replyTo != null && owner == null) {
      throw new IllegalStateException(
          "replies come to '%s', where other services may receive, too, and this service has no"
                  .formatted(replyTo)
              + " name that its replies would carry: name it with"
              + " CommandBus.builder(..).owner(\"orders\")");
    }
    if (replyTo != null && from.destinations.containsValue(replyTo)) {
      throw new IllegalStateException(
          "commands are sent to '%s', and replies come to it: use another destination for replies"
              .formatted(replyTo));
    }
    futures = new ReplyFutures<>(store, outcomes, options, news);
    intake =
        new CommandIntake<>(
            store,
            registry,
            from.destinations,
            from.elsewhere,
            replyTo,
            owner,
            options.replyWithin(),
            new Fingerprint(codec),
            ending,
            news,
            traces);
    reception =
        new CommandReception<>(
            store, transactions, intake, ending, wire, outcomes, futures, owner, news);
    AtomicInteger number = new AtomicInteger();
    threads =
        Executors.newCachedThreadPool(
            body -> Threads.daemon(options.name() + "-" + number.incrementAndGet(), body));
    parts =
        new CommandParts<>(
            store,
            transactions,
            registry,
            options,
            news,
            ending,
            futures,
            new Transience(store, from.rule),
            new Chains<>(transactions),
            new Alarms(work -> Threads.daemon(options.name() + "-watch", work)),
            threads,
            Ticker.system(),
            () -> ThreadLocalRandom.current().nextLong(),
            traces);
  }

  /** A bus over this store; the codec reads payloads and writes replies. */
  public static <T> Builder<T> builder(CommandStore<T> store, JsonCodec codec) {
    return new Builder<>(store, codec);
  }

  public CommandOptions options() {
    return options;
  }

  /** What follows its commands. */
  public Tracing tracing() {
    return parts.traces().tracing();
  }

  /**
   * What the handler of a type returns here, as far as it says; see {@link
   * AutoCommandHandlerRegistry#resultType}.
   */
  public Optional<Type> resultType(String type) {
    return parts.registry().resultType(type);
  }

  /** Whether commands of this type are sent to another service. */
  public boolean isSent(String type) {
    return intake.isSent(type);
  }

  /**
   * The types that can be accepted here: handled by this node, or known to be handled elsewhere.
   */
  public Set<String> types() {
    return intake.types();
  }

  /** Whether commands of this type can be accepted here; one of {@link #types()}. */
  public boolean canAccept(String type) {
    return intake.canAccept(type);
  }

  /**
   * Refuses a request that {@link #accept(CommandRequest)} would refuse, whatever was accepted
   * before: the type is unknown, or the payload is too large to be sent. Writes nothing.
   *
   * @throws IllegalArgumentException that says why
   */
  public void check(CommandRequest request) {
    intake.check(request);
  }

  /**
   * Accepts a command, in the unit of work that this thread is in, or in one of its own.
   *
   * @param payload a JSON object
   * @return the command's id; that of the first one when the same command was accepted with this
   *     key before and has not ended
   * @throws DuplicateCommandException when that one has ended, or was another command; it carries
   *     that one's id and reply
   * @throws IllegalArgumentException when the type is unknown, or a text or the payload is no good;
   *     nothing was written
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

  /** {@link #accept(String, String, String, String, Map)} of a command object. */
  public UUID accept(
      DomainCommand command,
      String idempotencyKey,
      String businessKey,
      Map<String, String> headers) {
    return accept(
        CommandType.of(command.getClass()),
        idempotencyKey,
        businessKey,
        codec.encode(command),
        headers);
  }

  /**
   * {@link #accept(String, String, String, String, Map)} with all that can be said of a command.
   */
  public UUID accept(CommandRequest request) {
    NewCommand command = intake.prepared(request);
    return idOf(command, accepted(command));
  }

  /**
   * {@link #accept(CommandRequest)} in a transaction of the caller. Unless it is the current unit
   * of work, nobody can tell when it commits: call {@link #wakeUp()} then, or the workers find the
   * command at their next look.
   *
   * @throws NoTransactionException when {@code transaction} is not an open one
   */
  public UUID accept(T transaction, CommandRequest request) {
    NewCommand command = intake.prepared(request);
    return idOf(command, queued(transaction, command));
  }

  /**
   * {@link #accept(Object, CommandRequest)} of a command that this node goes on with itself where
   * it can, which saves the claim and the way through the queue:
   *
   * <ul>
   *   <li>On a thread that runs a command of this bus, in that run's transaction (by its handler or
   *       by the {@link ReplyListener}, of a failure too): the first one is what the thread goes on
   *       with after the commit.
   *   <li>Else, when {@code transaction} is the current unit of work, for as many as there are
   *       places free that nobody waits for, or about to be because their run has committed: it
   *       begins after the commit, or waits like one that was claimed if the place is gone by then.
   *   <li>Else, and for a type that this node does not handle, a command that is sent or has a
   *       {@link CommandRequest#notBefore}, or a bus that was not started: it queues in the store.
   * </ul>
   *
   * <p>Those that queue do not starve: a thread only goes on with what its own command asked for,
   * at most {@value Chain#LONGEST} times in a row, and no place is taken that somebody waits for
   * here.
   *
   * <p>What this node has is leased to it from the moment it is accepted. It is given back when the
   * bus stops, or the lease would not last for its handler; a rollback leaves nothing; a crash
   * leaves the lease, and another node takes it when that has expired.
   *
   * @throws NoTransactionException when {@code transaction} is not an open one
   */
  public UUID acceptHere(T transaction, CommandRequest request) {
    NewCommand command = intake.prepared(request);
    Running now = running;
    Optional<Acceptance> here =
        now == null ? Optional.empty() : now.here.accept(transaction, command);
    return idOf(command, here.orElseGet(() -> queued(transaction, command)));
  }

  /**
   * {@link #acceptHere} of a command that has no row until it ends, which saves the writing of one
   * that is about to change: for whoever writes down in the same transaction that the command is to
   * be done, and until when it is carried ({@link CommandOptions#leaseFor()} at least), and
   * {@linkplain #writeCarried writes it} if it finds it after that time. A crash leaves nothing
   * else of it.
   *
   * @return has the command begin after the commit, and gives its id; to be called once, in the
   *     same transaction, and nothing is done before. Empty when the command has to have a row:
   *     because this node does not go on with it, or it is sent, answered, delayed or timed, or its
   *     store or the transaction is not made for it
   */
  public Optional<Supplier<UUID>> carry(T transaction, CommandRequest request) {
    Running now = running;
    return now != null && now.here.canCarry(transaction, request)
        ? Optional.of(() -> carried(transaction, now.here, intake.prepared(request)))
        : Optional.empty();
  }

  private UUID carried(T transaction, HereIntake<T> here, NewCommand command) {
    here.carry(transaction, command);
    return command.id();
  }

  /**
   * Writes down a command that was carried and not done in time, for any node to take, in a
   * transaction of its own; unless it, or its key, has a row. If its type is sent elsewhere by now,
   * it is sent.
   *
   * @param why that is its last error
   * @return whether it was written
   */
  public boolean writeCarried(CommandRequest request, String why) {
    NewCommand command = intake.prepared(request);
    if (command.destination().isPresent()) {
      return accepted(command).isNew();
    }
    Optional<CommandClaim> claim = intake.writeCarried(command, options.name(), options.leaseFor());
    // A crash before this leaves a lease that expires.
    boolean isFree = claim.filter(held -> store.retry(held, Duration.ZERO, why)).isPresent();
    if (isFree) {
      wakeUp();
    }
    return claim.isPresent();
  }

  private Acceptance queued(T transaction, NewCommand command) {
    Acceptance acceptance = intake.accept(transaction, command);
    transactions.afterCommitOf(transaction, this::wakeUp);
    return acceptance;
  }

  /** In a unit that is left normally: who throws inside one makes the outer one fail. */
  private Acceptance accepted(NewCommand command) {
    return transactions.call(transaction -> queued(transaction, command));
  }

  private UUID idOf(NewCommand command, Acceptance acceptance) {
    refuseDifferent(command, acceptance);
    Optional<CommandReply> reply = outcomes.reply(acceptance.command());
    if (!acceptance.isNew() && reply.isPresent()) {
      throw DuplicateCommandException.ended(command.idempotencyKey(), reply.get());
    }
    return acceptance.command().id();
  }

  private void refuseDifferent(NewCommand command, Acceptance acceptance) {
    StoredCommand known = acceptance.command();
    if (!acceptance.isNew() && !CommandIntake.isSame(command, known)) {
      throw DuplicateCommandException.different(
          command.idempotencyKey(), known.id(), known.command().type(), outcomes.reply(known));
    }
  }

  /**
   * Accepts a command and waits for its reply without blocking. One that was accepted before is
   * waited for, and one that has ended gives the reply that was kept; so this may be repeated.
   *
   * <p>Call it outside of a unit of work, or wait after the commit: there is no reply before.
   *
   * @throws DuplicateCommandException when the key belongs to another command
   */
  public CompletableFuture<CommandReply> submit(CommandRequest request) {
    NewCommand command = intake.prepared(request);
    requireStarted();
    Acceptance acceptance = accepted(command);
    refuseDifferent(command, acceptance);
    return outcomes
        .reply(acceptance.command())
        .map(CompletableFuture::completedFuture)
        .orElseGet(() -> futures.await(acceptance.command().id()));
  }

  /**
   * The reply of a command, when it is there: at once when this node handles it, soon after when
   * another does. The future is the caller's own; it fails when the bus is closed before.
   *
   * @throws IllegalStateException when the bus was not started, or too many are waited for
   */
  public CompletableFuture<CommandReply> await(UUID commandId) {
    requireStarted();
    return futures.await(commandId);
  }

  private void requireStarted() {
    if (running == null) {
      throw new IllegalStateException(
          "command bus '%s' was not started: start() it before waiting for replies"
              .formatted(options.name()));
    }
  }

  /** The reply that was kept; empty when the command has not ended, or nobody knows it any more. */
  public Optional<CommandReply> findReply(UUID commandId) {
    return store.find(commandId).flatMap(outcomes::reply);
  }

  /** {@link #findReply(UUID)} of the command that has this idempotency key. */
  public Optional<CommandReply> findReplyByKey(String idempotencyKey) {
    return store.findByKey(idempotencyKey).flatMap(outcomes::reply);
  }

  /** The command as it stands: where it is, who has it and since when, what failed last. */
  public Optional<StoredCommand> find(UUID commandId) {
    return store.find(commandId);
  }

  /** The same as a transaction of the caller sees it, without waiting for others. */
  public Optional<StoredCommand> find(T transaction, UUID commandId) {
    return store.find(transaction, commandId);
  }

  /**
   * Cancels a command that is still queued: it has failed with {@link FailureCode#CANCELLED} and is
   * replied to so. One that was sent to another service is not waited for any more; it may be
   * handled there all the same.
   *
   * @param reason for the reply
   * @return false when it has ended, a worker has taken it, or nobody knows it
   */
  public boolean cancel(UUID commandId, String reason) {
    return transactions.call(
        transaction -> {
          Optional<StoredCommand> ended =
              ending.cancel(transaction, commandId, cancelledFor(reason));
          ended.ifPresent(command -> transactions.afterCommit(() -> cancelled(command)));
          return ended.isPresent();
        });
  }

  /**
   * {@link #cancel} in a transaction of the caller, for whoever keeps state that replies move on:
   * the {@link ReplyListener} is not told, and nothing is waited for. What another transaction is
   * changing counts as taken, so it may be called with locks held that handlers wait for.
   *
   * <p>Whoever asked for a reply gets one, and futures are completed, as by {@link #cancel};
   * futures on this node after the commit if {@code transaction} is the current unit of work, else
   * when they are looked after.
   *
   * @param reason for the reply
   * @throws NoTransactionException when {@code transaction} is not an open one
   */
  public Recall recall(T transaction, UUID commandId, String reason) {
    Optional<StoredCommand> ended = ending.recall(transaction, commandId, cancelledFor(reason));
    if (ended.isPresent()) {
      transactions.afterCommitOf(transaction, () -> cancelled(ended.get()));
      return ended.get().command().destination().isPresent() ? Recall.SENT : Recall.RECALLED;
    }
    return store
        .find(transaction, commandId)
        .filter(command -> !command.status().isFinished())
        .map(command -> Recall.TAKEN)
        .orElse(Recall.GONE);
  }

  private static CommandOutcome cancelledFor(String reason) {
    return CommandOutcome.failed(FailureCode.CANCELLED.name(), "Cancelled: " + reason);
  }

  private void cancelled(StoredCommand command) {
    outcomes.reply(command).ifPresent(futures::complete);
    news.cancelled(command.command());
  }

  /** Tells the workers that something was committed. Never blocks and never fails. */
  public void wakeUp() {
    store.wakeUps().signal();
  }

  /**
   * Has commands and replies received that come over a broker: adds a handler for each destination
   * to those of an inbox in this database.
   *
   * <p>Has receivers take only those replies that carry the name of this service, {@link
   * Builder#owner}, or no name: several services may share the destination of replies.
   *
   * @param destinations where commands come from, by the type that is handled here; for example
   *     {@code APP.CMD.CREATEORDER.Q} for {@code CreateOrder}
   * @throws IllegalArgumentException when a type has no handler here, or its commands come from the
   *     destination of replies
   */
  public Handlers.Builder<T> receive(
      Handlers.Builder<T> handlers, Map<String, String> destinations) {
    destinations.forEach(
        (type, destination) -> {
          if (!intake.hasHandler(type)) {
            throw intake.unknown(type);
          }
          if (destination.equals(replyTo)) {
            throw new IllegalArgumentException(
                "commands of type %s and replies both come from '%s': use another destination for"
                        .formatted(type, destination)
                    + " one of them");
          }
          handlers.onAny(destination, "command " + type, reception::command);
        });
    if (replyTo != null) {
      handlers.onAny(replyTo, "command replies", reception::reply);
      handlers.only(replyTo, CommandWire.REPLY_OWNER, Objects.requireNonNull(owner));
    }
    return handlers;
  }

  /** Starts to handle commands, to end those that time out and to forget old ones. */
  public synchronized void start() {
    if (running != null) {
      return;
    }
    if (closed) {
      throw new IllegalStateException(
          "command bus '%s' was closed; build another one".formatted(options.name()));
    }
    Running started = new Running();
    running = started;
    started.start();
    LOG.info(
        "{}: started; store={} types={} concurrency={} lease={}",
        options.name(),
        store.name(),
        parts.registry().types(),
        options.concurrency(),
        options.leaseFor());
  }

  /**
   * Stops taking commands, gives back those that have not begun, and waits up to {@link
   * CommandOptions#drainFor()} for those that run. What is not done by then is interrupted, rolls
   * back, and is handled by some node later.
   */
  public synchronized void stop() {
    Running stopping = running;
    if (stopping == null) {
      return;
    }
    int left = stopping.stop();
    running = null;
    LOG.info("{}: stopped; interrupted={}", options.name(), left);
  }

  /** {@link #stop()}, and fails the futures of those who wait. */
  @Override
  public synchronized void close() {
    stop();
    closed = true;
    futures.close();
    parts.alarms().close();
    threads.shutdownNow();
  }

  /** Whether it was started and all its threads are alive. */
  public boolean isRunning() {
    Running now = running;
    return now != null && now.isAlive();
  }

  /** How many commands this node handles now; zero while it is not started. */
  public int inFlight() {
    Running now = running;
    return now == null ? 0 : now.taker.inFlight();
  }

  /**
   * Once, on the caller's thread: takes what is due and handles it, ends what has timed out, and
   * forgets what is old. For tests, and for those who bring their own scheduler.
   *
   * @return how many commands were taken
   * @throws IllegalStateException while it is started
   */
  public synchronized int runOnce() {
    if (running != null) {
      throw new IllegalStateException(
          "command bus '%s' runs on its own threads: stop() it before runOnce()"
              .formatted(options.name()));
    }
    CommandKeeper<T> keeper = new CommandKeeper<>(parts);
    int unusedExpired = keeper.expire();
    boolean unusedMore = keeper.findUndelivered();
    int unusedPurged = keeper.purge();
    return parts.registry().types().isEmpty() ? 0 : new CommandTaker<>(parts).runHere();
  }

  /** The threads of a started bus. */
  private final class Running {
    private final CommandTaker<T> taker = new CommandTaker<>(parts);
    private final HereIntake<T> here = new HereIntake<>(parts, intake, taker);
    private final List<BackgroundLoop> loops = new ArrayList<>();
    private WakeUps.Subscription wakeUps = () -> {};

    void start() {
      if (!parts.registry().types().isEmpty()) {
        loops.add(loop("taker", taker, taker.waiter()));
        wakeUps = store.wakeUps().subscribe(taker.waiter()::signal);
      }
      loops.add(loop("keeper", new CommandKeeper<>(parts), new Waiter()));
      loops.add(loop("replies", futures, futures.waiter()));
      loops.forEach(BackgroundLoop::start);
    }

    private BackgroundLoop loop(String name, BackgroundLoop.Pass pass, Waiter waiter) {
      return new BackgroundLoop(
          options.name() + "-" + name,
          pass,
          waiter,
          Pace.ofTrouble(),
          body -> Threads.daemon(options.name(), body));
    }

    boolean isAlive() {
      return loops.stream().noneMatch(BackgroundLoop::hasEnded);
    }

    int stop() {
      wakeUps.close();
      BackgroundLoop.stopAll(loops, STOP_WITHIN);
      return taker.stop();
    }
  }

  /** Collects what a bus needs. Not thread-safe. */
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
    private @Nullable AutoCommandHandlerRegistry<T> registry;
    private @Nullable Outbox<T> outbox;
    private @Nullable Transactions<T> transactions;
    private @Nullable String replyTo;
    private @Nullable String owner;

    private Builder(CommandStore<T> store, JsonCodec codec) {
      this.store = store;
      this.codec = codec;
    }

    /** The commands that this node handles. */
    public Builder<T> handlers(AutoCommandHandlerRegistry<T> registry) {
      this.registry = registry;
      return this;
    }

    /** Types that other nodes over the same database handle, and this one only accepts. */
    public Builder<T> handledElsewhere(String... types) {
      for (String type : types) {
        elsewhere.add(CommandType.check(type));
      }
      return this;
    }

    /** Commands of this type are sent to this destination, through the outbox. */
    public Builder<T> send(String type, String destination) {
      destinations.put(CommandType.check(type), destination);
      return this;
    }

    /**
     * Where the replies to commands that were sent come back to, for example APP.CMD.REPLY.Q. Needs
     * an {@link #owner}.
     */
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

    /** Needed to send commands and replies; in the same database. */
    public Builder<T> outbox(Outbox<T> outbox) {
      this.outbox = outbox;
      return this;
    }

    /**
     * The units of work in which commands are accepted and handled; those of the store unless
     * given. Those of the outbox let handlers append without naming the transaction.
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

    /**
     * Follows commands: each is accepted with the context of its creation, unless it brings one,
     * and handled from there on. Nothing unless given.
     */
    public Builder<T> tracing(Tracing tracing) {
      this.tracing = tracing;
      return this;
    }

    /** Has a part in the transactions in which commands end. */
    public Builder<T> replyListener(ReplyListener<T> listener) {
      this.listener = listener;
      return this;
    }

    /** Which failures are tried again that Postroad knows nothing about; none unless given. */
    public Builder<T> retryRule(RetryRule rule) {
      this.rule = rule;
      return this;
    }

    /**
     * The bus, not started.
     *
     * @throws IllegalStateException when commands are sent but there is no outbox, nowhere for
     *     replies to come to, or replies come back and there is no {@link #owner}
     */
    public CommandBus<T> build() {
      return new CommandBus<>(this);
    }
  }
}
