package io.postroad.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CommandStore;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.Settlement;
import io.postroad.spi.process.ProcessStore;
import io.postroad.store.AppendResult;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a contract: a store over empty data, more nodes over the same data, its clock, and
 * short words for what every test does. At the end of the test everything it handed out is ended,
 * last first.
 */
public final class StoreUnderTest implements AutoCloseable {
  /** How long deduplication keys are remembered unless a test says otherwise. */
  public static final Duration DEDUPLICATE_FOR = Duration.ofDays(7);

  /** The lease of {@link #claim} unless a test says otherwise. */
  public static final Duration LEASE = Duration.ofMinutes(1);

  /** The owner in {@link #claim}. */
  public static final String OWNER = "node-1";

  /** Long enough that only a hang reaches it. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final StoreFixture<Object> fixture;
  private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private @Nullable OutboxStore<Object> store;
  private @Nullable Receiver receiver;

  StoreUnderTest(StoreFixture<Object> fixture) {
    this.fixture = fixture;
  }

  /** Skips the test, visibly, when the store cannot do this. */
  public void needs(Capability capability) {
    assumeTrue(
        fixture.capabilities().contains(capability),
        () -> "needs capability " + capability + ", which " + fixture.name() + " does not declare");
  }

  /** The first node. */
  public synchronized OutboxStore<Object> store() throws Exception {
    if (store == null) {
      store = closedAtEnd(fixture.open());
    }
    return store;
  }

  /** The first node, of a competing store. */
  public CompetingStore<Object> competing() throws Exception {
    return competing(store());
  }

  /** A node of a competing store. */
  public static CompetingStore<Object> competing(OutboxStore<Object> node) {
    if (node instanceof CompetingStore<Object> competing) {
      return competing;
    }
    throw new AssertionError(node.name() + " is no CompetingStore; run OrderedStoreTck for it");
  }

  /** The first node, of an ordered store with as many lanes as its fixture likes. */
  public OrderedStore<Object> ordered() throws Exception {
    return ordered(store());
  }

  /** The first node, of an ordered store with so many lanes; the first call decides. */
  public synchronized OrderedStore<Object> ordered(int lanes) throws Exception {
    if (store == null) {
      store = closedAtEnd(fixture.open(lanes));
    }
    OrderedStore<Object> ordered = ordered(store);
    assertThat(ordered.lanes().count()).as("lanes of the store opened").isEqualTo(lanes);
    return ordered;
  }

  /** A node of an ordered store. */
  public static OrderedStore<Object> ordered(OutboxStore<Object> node) {
    if (node instanceof OrderedStore<Object> ordered) {
      return ordered;
    }
    throw new AssertionError(node.name() + " is no OrderedStore; run CompetingStoreTck for it");
  }

  /** One more node over the same data. */
  public OutboxStore<Object> anotherNode() throws Exception {
    return closedAtEnd(fixture.openAnother(store()));
  }

  /** An inbox in the database of the first node; further calls give further nodes. */
  public InboxStore<Object> inbox() throws Exception {
    needs(Capability.INBOX);
    return closedAtEnd(fixture.openInbox(store()));
  }

  /** Commands in the database of the first node; further calls give further nodes. */
  public CommandStore<Object> commands() throws Exception {
    needs(Capability.COMMANDS);
    return closedAtEnd(fixture.openCommands(store()));
  }

  /** Processes in the database of the first node; further calls give further nodes. */
  public ProcessStore<Object> processes() throws Exception {
    needs(Capability.PROCESSES);
    return closedAtEnd(fixture.openProcesses(store()));
  }

  /** The database of an ordered store crashes and comes back; every lane is lost. */
  public void forgetMemory() throws Exception {
    needs(Capability.RECOVERY);
    fixture.forgetMemory(store());
  }

  /** The data of an ordered store finds itself in another cluster. */
  public void changeCluster() throws Exception {
    needs(Capability.RECOVERY);
    fixture.changeCluster(store());
  }

  /** Moves the database's clock forward. */
  public void advance(Duration by) throws Exception {
    fixture.advance(by);
  }

  /** A transaction of a user on the first node. */
  public UserTransaction begin() throws Exception {
    return begin(store());
  }

  /** A transaction of a user on this node. */
  public UserTransaction begin(OutboxStore<Object> node) throws Exception {
    UserTransaction transaction = new UserTransaction(fixture, node, fixture.begin(node));
    opened.push(transaction::endIfOpen);
    return transaction;
  }

  /** Rolls a transaction back in the middle of its work, which may go on in another one. */
  public void rollBackInside(Object transaction, boolean isGoingOn) throws Exception {
    fixture.rollBackInside(transaction, isGoingOn);
  }

  /** Something that {@link OutboxStore#append} must refuse. */
  public Object notATransaction() throws Exception {
    Object handle = fixture.notATransaction(store());
    opened.push(() -> fixture.release(handle));
    return handle;
  }

  /** Appends in a transaction of its own and commits it. */
  public List<AppendResult> append(Message... messages) throws Exception {
    UserTransaction transaction = begin();
    List<AppendResult> results = transaction.append(messages);
    transaction.commit();
    return results;
  }

  /** Appends many in a transaction of their own and commits it. */
  public List<AppendResult> append(List<Message> messages) throws Exception {
    return append(messages.toArray(Message[]::new));
  }

  /**
   * Returns new messages in the order in which relays get them. On an ordered store the first call
   * takes every lane, as {@link #OWNER}.
   */
  public List<Message> receive() throws Exception {
    return receiver().receive();
  }

  /** The one message that relays can get now. */
  public Message receiveOne() throws Exception {
    List<Message> messages = receive();
    assertThat(messages).as("the only message that relays can get").hasSize(1);
    return messages.get(0);
  }

  /** Appends a message and delivers it, and all that were received before. */
  public void deliver(Message message) throws Exception {
    append(message);
    assertThat(receive()).as("what a relay can get").contains(message);
    receiver().settleAll();
  }

  private synchronized Receiver receiver() throws Exception {
    if (receiver == null) {
      receiver =
          store() instanceof OrderedStore<Object> ordered
              ? new OrderedReceiver(ordered)
              : new CompetingReceiver(competing());
    }
    return receiver;
  }

  public List<Claim> claim(int limit) throws Exception {
    return claim(OWNER, limit);
  }

  public List<Claim> claim(String owner, int limit) throws Exception {
    return competing().claim(new ClaimRequest(owner, limit, LEASE));
  }

  /** The one message that is due. */
  public Claim claimOne() throws Exception {
    List<Claim> claims = claim(2);
    assertThat(claims).as("claims of the only due message").hasSize(1);
    return claims.get(0);
  }

  /** Appends a message and claims it. */
  public Claim appendAndClaim(Message message) throws Exception {
    append(message);
    return claimOne();
  }

  /** Settles one claim that still holds. */
  public void settle(Settlement settlement) throws Exception {
    assertThat(competing().settle(List.of(settlement))).as("rejected by the fence").isEmpty();
  }

  /** The message as it stands. */
  public StoredMessage find(UUID id) throws Exception {
    return store().find(id).orElseThrow(() -> new AssertionError("message " + id + " is gone"));
  }

  /** Holds a row as a claimer in the middle of its claim does, until closed. */
  public AutoCloseable holdRow(UUID id) throws Exception {
    needs(Capability.HELD_ROWS);
    return fixture.holdRow(store(), id);
  }

  /** A database without a schema. */
  public SchemaFixture freshSchema() throws Exception {
    needs(Capability.SCHEMA);
    return closedAtEnd(fixture.freshSchema());
  }

  /** Runs something on a thread of its own. */
  public <V> Future<V> async(Callable<V> work) {
    return threads.submit(work);
  }

  /** Runs something many times at once, each on a thread of its own, and gives all results. */
  public <V> List<V> together(int times, Callable<V> work) throws Exception {
    List<Future<V>> running = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      running.add(async(work));
    }
    List<V> results = new ArrayList<>();
    for (Future<V> one : running) {
      results.add(get(one));
    }
    return results;
  }

  /** The result, waited for patiently but not for ever. */
  public static <V> V get(Future<V> future) throws Exception {
    try {
      return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("still not done after " + PATIENCE, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Makes sure that something is closed at the end of the test. */
  public <C extends AutoCloseable> C closedAtEnd(C resource) {
    opened.push(resource);
    return resource;
  }

  @Override
  public void close() throws Exception {
    threads.shutdownNow();
    List<Exception> failures = new ArrayList<>();
    for (AutoCloseable resource : new ArrayDeque<>(opened)) {
      try {
        resource.close();
      } catch (Exception e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      AssertionError error = new AssertionError("not everything could be closed after the test");
      failures.forEach(error::addSuppressed);
      throw error;
    }
  }
}
