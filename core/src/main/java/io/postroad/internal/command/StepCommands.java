package io.postroad.internal.command;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandRequest;
import io.postroad.spi.StoredCommand;
import io.postroad.trace.Tracing;
import io.postroad.transaction.NoTransactionException;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The port between processes and commands: a process manager hands over the commands of its steps
 * here, and hears of their replies as a {@link StepListener}. Safe to use from many threads.
 *
 * @param <T> the type of a transaction of the database
 */
public interface StepCommands<T> {

  /** Returns the port of a bus, which has no public method for it. */
  static <T> StepCommands<T> of(CommandBus<T> bus) {
    return Access.portOf(bus);
  }

  /** Has this listener, instead of any other, hear of replies; before the bus is started. */
  void listen(StepListener<T> listener);

  CommandOptions options();

  Tracing tracing();

  /** Returns the types that the bus accepts. */
  Set<String> types();

  /** Returns the types whose commands are sent to another service. */
  Set<String> sentTypes();

  /** Returns the declared result of the handler of a type; empty when that is not known. */
  Optional<Type> resultType(String type);

  /**
   * Refuses a request that {@link #accept} would always refuse. Writes nothing.
   *
   * @throws IllegalArgumentException when the type is unknown, or the payload is too large to send
   */
  void check(CommandRequest request);

  /**
   * Accepts a command that this node runs itself where it can, without a claim:
   *
   * <ul>
   *   <li>On a thread that runs a command of this bus, in the transaction of that run: the thread
   *       runs the first such command after the commit.
   *   <li>Otherwise in the current transaction of this thread, for as many commands as there are
   *       free places that no waiting command needs: it begins after the commit.
   *   <li>Otherwise, and for a type without a handler here, a command that is sent or delayed, or a
   *       bus that was not started: the command queues in the store.
   * </ul>
   *
   * <p>Queued commands do not starve. A thread runs at most {@value Chain#LONGEST} commands in a
   * row, each asked for by the one before it, and takes no place that a waiting command needs.
   *
   * <p>The command is leased to this node from its acceptance on. The node gives it back when the
   * bus stops, or when the lease is too short for its handler. A rollback leaves nothing. A crash
   * leaves the lease, and another node takes the command when that has expired.
   *
   * @return the id of the command; that of the first one with this key if it has not ended
   * @throws NoTransactionException when {@code transaction} is not open
   */
  UUID accept(T transaction, CommandRequest request);

  /** Tells whether {@link #handOff} is possible, until the end of this transaction. */
  boolean canHandOff(T transaction, CommandRequest request);

  /**
   * Hands a command off in memory: it runs after the commit like one of {@link #accept}, and its
   * row is written when it ends. The caller saves in the same transaction which command this node
   * has and until when, at least {@link CommandOptions#leaseFor()} from now. A crash leaves nothing
   * else of the command, so the caller {@linkplain #writeOrphan writes} it if it finds it after
   * that time.
   */
  UUID handOff(T transaction, CommandRequest request);

  /** The result of {@link #writeOrphan}. */
  enum Orphan {
    /** The command has a row now, and any node may take it. */
    WRITTEN,
    /** The command had a row already. */
    KNOWN,
    /** Another command has its idempotency key; nothing was written. */
    KEY_TAKEN
  }

  /**
   * Writes a command that was handed off in memory and did not end in time, in a transaction of its
   * own. Its node can no longer end it: that would insert the same row. If commands of its type are
   * sent by now, the command is sent.
   *
   * @param why becomes the last error of the command
   */
  Orphan writeOrphan(CommandRequest request, String why);

  /**
   * Cancels a command that no worker has taken, without waiting and without telling the listener. A
   * command that another transaction is changing counts as taken, so the caller may hold locks that
   * handlers wait for.
   *
   * @param reason for the reply
   * @throws NoTransactionException when {@code transaction} is not open
   */
  Recall recall(T transaction, UUID commandId, String reason);

  /** Returns the command as this transaction sees it, without waiting for others. */
  Optional<StoredCommand> find(T transaction, UUID commandId);

  /** Reads the port of a bus: the bus grants it, so that no public signature shows it. */
  abstract class Access {
    private static volatile @Nullable Access granted;

    protected abstract <T> StepCommands<T> port(CommandBus<T> bus);

    public static void grant(Access access) {
      granted = access;
    }

    private static <T> StepCommands<T> portOf(CommandBus<T> bus) {
      Access access = granted;
      if (access == null) {
        throw new IllegalStateException("the class of the command bus was not initialised");
      }
      return access.port(bus);
    }
  }
}
