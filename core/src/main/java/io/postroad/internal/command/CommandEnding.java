package io.postroad.internal.command;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandRefusedException;
import io.postroad.command.CommandReply;
import io.postroad.command.FailureCode;
import io.postroad.command.ReplyListener;
import io.postroad.internal.loop.ErrorText;
import io.postroad.message.JsonCodecException;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.outbox.Outbox;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandStore;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.spi.process.ProcessBusyException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * REPLY: how a command ends, inside a transaction: the outcome in its row, the reply in the outbox
 * for whoever asked for one, and what a listener keeps. Safe to use from many threads.
 */
public final class CommandEnding<T> {
  private static final Logger LOG = LoggerFactory.getLogger(CommandBus.class);

  private final CommandStore<T> store;
  private final @Nullable Outbox<T> outbox;
  private final CommandWire wire;
  private final Outcomes outcomes;
  private final ReplyListener<T> listener;
  private final boolean sends;

  public CommandEnding(
      CommandStore<T> store,
      @Nullable Outbox<T> outbox,
      CommandWire wire,
      Outcomes outcomes,
      ReplyListener<T> listener,
      boolean sends) {
    this.store = store;
    this.outbox = outbox;
    this.wire = wire;
    this.outcomes = outcomes;
    this.listener = listener;
    this.sends = sends;
  }

  /** Refuses a command whose end this node could not take. */
  void begins(NewCommand command) {
    listener.begins(command);
  }

  /** See {@link ReplyListener#writesTogether}. */
  boolean writesTogether() {
    return listener.writesTogether();
  }

  /**
   * Ends a claimed command; false when the claim does not hold, and nothing was done.
   *
   * @param isBegun whether the store knows the transaction from its beginning
   */
  boolean end(T transaction, CommandClaim claim, CommandReply reply, boolean isBegun) {
    boolean held =
        isBegun
            ? store.finishUnended(transaction, claim, outcome(reply))
            : store.finish(transaction, claim, outcome(reply));
    if (held) {
      answer(transaction, claim.command(), reply);
      listen(reply, () -> listener.repliedHere(transaction, claim.command(), reply));
    }
    return held;
  }

  /** A result may just fit, and what is kept of it not. */
  private CommandOutcome outcome(CommandReply reply) {
    try {
      return outcomes.of(reply);
    } catch (JsonCodecException unwritable) {
      throw new CommandFailure(FailureCode.UNWRITABLE_RESULT, unwritable);
    }
  }

  /** Ends a command that nobody has taken; empty when that is not possible. */
  public Optional<StoredCommand> cancel(T transaction, UUID id, CommandOutcome outcome) {
    Optional<StoredCommand> ended = store.cancel(transaction, id, outcome);
    ended.ifPresent(command -> tell(transaction, command.command(), outcome));
    return ended;
  }

  /** The same without waiting and without the listener, which is who asks. */
  public Optional<StoredCommand> recall(T transaction, UUID id, CommandOutcome outcome) {
    Optional<StoredCommand> ended = store.recall(transaction, id, outcome);
    ended.ifPresent(
        command ->
            answer(transaction, command.command(), outcomes.reply(command.command(), outcome)));
    return ended;
  }

  /**
   * Ends commands whose deadline is over. Waits for no other transaction.
   *
   * @throws Untold when one of them cannot be told of, which names it; nothing of the transaction
   *     can be committed then
   */
  List<StoredCommand> expire(
      T transaction, CommandOutcome outcome, int limit, Collection<UUID> except) {
    List<StoredCommand> expired = store.expire(transaction, outcome, limit, except);
    // In one order on all nodes, so that listeners who lock by business key do not meet crosswise.
    List<StoredCommand> inOrder =
        expired.stream().sorted(Comparator.comparing(c -> c.command().businessKey())).toList();
    for (StoredCommand command : inOrder) {
      try {
        CommandReply reply = outcomes.reply(command.command(), outcome);
        answer(transaction, command.command(), reply);
        listener.repliedNow(transaction, command.command(), reply);
      } catch (RuntimeException | Error failed) {
        if (ErrorText.causes(failed).stream().anyMatch(store::isTransient)) {
          throw failed;
        }
        throw new Untold(command.id(), failed);
      }
    }
    return expired;
  }

  /** A listener or the outbox does not take the end of a command. */
  static final class Untold extends PostroadException {
    private static final long serialVersionUID = 1L;

    private final UUID commandId;

    Untold(UUID commandId, Throwable cause) {
      super(
          "command %s has timed out, and that cannot be told; it is tried again"
              .formatted(commandId),
          cause);
      this.commandId = commandId;
    }

    UUID commandId() {
      return commandId;
    }

    /** Whether another transaction holds what the end of the command changes. */
    boolean isBusy() {
      return getCause() instanceof ProcessBusyException;
    }
  }

  /** A command that has ended, and how. */
  record Ended(NewCommand command, CommandReply reply) {}

  /** Ends a command that was handled elsewhere: its reply is here and goes no further. */
  Optional<Ended> replied(T transaction, UUID id, CommandOutcome outcome) {
    return store
        .reply(transaction, id, outcome)
        .map(
            ended -> {
              CommandReply reply = outcomes.reply(ended.command(), outcome);
              listener.replied(transaction, ended.command(), reply);
              return new Ended(ended.command(), reply);
            });
  }

  /**
   * Ends a command that was sent elsewhere and cannot be delivered. Waits for no other transaction.
   *
   * @return empty when the command has ended, or another transaction is changing it
   * @throws ProcessBusyException when another transaction has its process
   */
  Optional<Ended> undelivered(T transaction, UUID id, CommandOutcome outcome) {
    return store
        .replyNow(transaction, id, outcome)
        .map(
            ended -> {
              CommandReply reply = outcomes.reply(ended.command(), outcome);
              listener.repliedNow(transaction, ended.command(), reply);
              return new Ended(ended.command(), reply);
            });
  }

  /** A notice for a command that was sent from here, may be late and has not ended. */
  Optional<CommandReply> toldLate(T transaction, UUID id, CommandOutcome outcome) {
    return store
        .find(transaction, id)
        .filter(known -> known.command().lateAllowed() && known.outcome().isEmpty())
        .filter(known -> known.command().destination().isPresent())
        .map(known -> outcomes.reply(known.command(), outcome));
  }

  /**
   * Tells the listener of a reply that ended nothing, when the command has ended otherwise.
   *
   * @return whether the command is known
   */
  boolean repliedLate(T transaction, UUID id, CommandOutcome outcome) {
    Optional<StoredCommand> known = store.find(transaction, id);
    known
        .filter(ended -> ended.command().destination().isPresent() && isOther(ended, outcome))
        .map(StoredCommand::command)
        .ifPresent(
            command ->
                listener.repliedLate(transaction, command, outcomes.reply(command, outcome)));
    return known.isPresent();
  }

  private static boolean isOther(StoredCommand known, CommandOutcome outcome) {
    return known.outcome().filter(ended -> !ended.code().equals(outcome.code())).isPresent();
  }

  private void tell(T transaction, NewCommand command, CommandOutcome outcome) {
    CommandReply reply = outcomes.reply(command, outcome);
    answer(transaction, command, reply);
    listen(reply, () -> listener.replied(transaction, command, reply));
  }

  private static void listen(CommandReply reply, Runnable listening) {
    try {
      listening.run();
    } catch (CommandRefusedException refused) {
      if (reply instanceof CommandReply.Completed) {
        throw new CommandFailure(FailureCode.CANCELLED, refused);
      }
      throw refused;
    }
  }

  private void answer(T transaction, NewCommand command, CommandReply reply) {
    // Where it was sent to somebody else, the reply comes from there, or never.
    boolean sentAway = command.destination().isPresent() && reply instanceof CommandReply.TimedOut;
    if (command.replyTo().isPresent() && !sentAway) {
      sendOrKeep(transaction, command, command.replyTo().get(), reply);
    }
  }

  /** What cannot be sent and is no result must not keep its command from ending. */
  private void sendOrKeep(T transaction, NewCommand command, String replyTo, CommandReply reply) {
    boolean isNotice = reply instanceof CommandReply.TimedOut && command.lateAllowed();
    try {
      Message message = wire.reply(command, reply, replyTo);
      append(transaction, replyTo, isNotice ? CommandWire.notice(message) : message);
    } catch (IllegalArgumentException cannotBeSent) {
      if (reply instanceof CommandReply.Completed) {
        throw new CommandFailure(FailureCode.UNWRITABLE_RESULT, cannotBeSent);
      }
      LOG.error(
          "the reply to command {} cannot be sent to '{}', it is kept with the command; error={}",
          command.id(),
          replyTo,
          ErrorText.of(cannotBeSent));
    }
  }

  /** Sends a reply where it was asked for. */
  void send(T transaction, String replyTo, NewCommand command, CommandReply reply) {
    append(transaction, replyTo, wire.reply(command, reply, replyTo));
  }

  /** Sends a reply to what may be no command. */
  void send(
      T transaction,
      String replyTo,
      UUID correlationId,
      Optional<String> owner,
      CommandReply reply) {
    append(
        transaction, replyTo, wire.reply(reply.commandId(), correlationId, reply, replyTo, owner));
  }

  private void append(T transaction, String replyTo, Message reply) {
    var unused = requireOutbox("reply to '%s'".formatted(replyTo)).append(transaction, reply);
  }

  /** Refuses a command that {@link #send(Object, String, StoredCommand)} could not send. */
  void check(NewCommand command, String destination) {
    requireOutbox("send commands to '%s'".formatted(destination))
        .check(wire.command(command, destination, Optional.empty()));
  }

  /** Sends a command that came from there once more to where it came from, at some time. */
  void sendAgain(
      T transaction,
      String destination,
      NewCommand command,
      Optional<Instant> deadline,
      Instant at) {
    var unused =
        requireOutbox("send commands to '%s'".formatted(destination))
            .append(transaction, wire.again(command, destination, deadline, at));
  }

  /** Sends a command where it is handled. */
  void send(T transaction, String destination, StoredCommand command) {
    var unused =
        requireOutbox("send commands to '%s'".formatted(destination))
            .append(transaction, wire.command(command.command(), destination, command.deadline()));
  }

  /** Returns the dead letters among which commands may be; empty where this bus sends none. */
  Optional<DeadLetterStore> deadLetters() {
    return Optional.ofNullable(outbox).filter(any -> sends).map(Outbox::deadLetters);
  }

  public Outbox<T> requireOutbox(String what) {
    if (outbox == null) {
      throw new IllegalStateException(
          "this command bus has no outbox, so it cannot %s: give it one with".formatted(what)
              + " CommandBus.builder(..).outbox(outbox)");
    }
    return outbox;
  }
}
