package io.postroad.internal.command;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandRefusedException;
import io.postroad.command.CommandReply;
import io.postroad.command.FailureCode;
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
 * REPLY: ends a command inside a transaction. Writes the outcome into its row, appends the reply to
 * the outbox where one was asked for, and tells the listener. Safe to use from many threads.
 */
public final class CommandCompleter<T> {
  private static final Logger LOG = LoggerFactory.getLogger(CommandBus.class);

  private final CommandStore<T> store;
  private final @Nullable Outbox<T> outbox;
  private final CommandWire wire;
  private final Outcomes outcomes;
  private final boolean sends;
  private volatile StepListener<T> listener;

  /**
   * Ends the commands of one bus.
   *
   * @throws IllegalStateException when commands are sent and there is no outbox, or their replies
   *     have no destination or no owner
   */
  public CommandCompleter(
      CommandStore<T> store,
      @Nullable Outbox<T> outbox,
      CommandWire wire,
      CommandRoutes routes,
      StepListener<T> listener) {
    this.store = store;
    this.outbox = outbox;
    this.wire = wire;
    this.outcomes = wire.outcomes();
    this.sends = !routes.destinations().isEmpty();
    this.listener = listener;
    for (String destination : routes.destinations().values()) {
      Outbox<T> unused = sendOutbox(destination);
    }
    routes.requireReplies();
  }

  void listen(StepListener<T> newListener) {
    listener = newListener;
  }

  /** Refuses a command whose end this node could not take. */
  void begins(NewCommand command) {
    listener.begins(command);
  }

  /** See {@link StepListener#writesTogether}. */
  boolean writesTogether() {
    return listener.writesTogether();
  }

  /**
   * Ends a claimed command; false when the claim does not hold, and nothing was done.
   *
   * @param isMarked whether the store has marked the transaction at its beginning
   */
  boolean complete(T transaction, CommandClaim claim, CommandReply reply, boolean isMarked) {
    CommandOutcome outcome = outcome(reply);
    boolean held =
        isMarked
            ? store.finishUnended(transaction, claim, outcome)
            : store.finish(transaction, claim, outcome);
    if (held) {
      answer(transaction, claim.command(), reply);
      listen(reply, () -> listener.repliedHere(transaction, claim.command(), reply));
    }
    return held;
  }

  /** Encodes a reply. A result may just fit, and its outcome not. */
  private CommandOutcome outcome(CommandReply reply) {
    try {
      return outcomes.of(reply);
    } catch (JsonCodecException unwritable) {
      throw new CommandFailure(FailureCode.UNWRITABLE_RESULT, unwritable);
    }
  }

  /** Ends a command that no worker has taken; empty when that is not possible. */
  Optional<StoredCommand> cancel(T transaction, UUID id, String reason) {
    CommandOutcome outcome = cancelledFor(reason);
    Optional<StoredCommand> ended = store.cancel(transaction, id, outcome);
    ended.ifPresent(
        command -> {
          CommandReply reply = outcomes.reply(command.command(), outcome);
          answer(transaction, command.command(), reply);
          listen(reply, () -> listener.replied(transaction, command.command(), reply));
        });
    return ended;
  }

  /** Ends a command like {@link #cancel}, without waiting and without the listener, which asks. */
  Optional<StoredCommand> recall(T transaction, UUID id, String reason) {
    CommandOutcome outcome = cancelledFor(reason);
    Optional<StoredCommand> ended = store.recall(transaction, id, outcome);
    ended.ifPresent(
        command ->
            answer(transaction, command.command(), outcomes.reply(command.command(), outcome)));
    return ended;
  }

  private static CommandOutcome cancelledFor(String reason) {
    return CommandOutcome.failed(FailureCode.CANCELLED.name(), "Cancelled: " + reason);
  }

  /**
   * Ends commands whose deadline has passed. Waits for no other transaction.
   *
   * @throws Untold when a listener or the outbox refuses one of them, which it names; the
   *     transaction can then only be rolled back
   */
  List<StoredCommand> expire(
      T transaction, CommandOutcome outcome, int limit, Collection<UUID> except) {
    List<StoredCommand> expired = store.expire(transaction, outcome, limit, except);
    // In one order on all nodes, so that listeners that lock by business key cannot deadlock.
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

  /** Thrown when a listener or the outbox refuses the end of a command. */
  static final class Untold extends PostroadException {
    private static final long serialVersionUID = 1L;

    private final UUID commandId;

    Untold(UUID commandId, Throwable cause) {
      super(
          "command %s has timed out, and its listener or its reply failed; it is tried again"
              .formatted(commandId),
          cause);
      this.commandId = commandId;
    }

    UUID commandId() {
      return commandId;
    }

    /** Tells whether another transaction holds what the end of the command changes. */
    boolean isBusy() {
      return getCause() instanceof ProcessBusyException;
    }
  }

  /** A command that has ended, and its reply. */
  record Ended(NewCommand command, CommandReply reply) {}

  /** Ends a command that another service has handled: the reply has arrived and goes no further. */
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
   * Ends a command whose message cannot be delivered. Waits for no other transaction.
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

  /** Returns the late notice for a command that was sent from here and has not ended. */
  Optional<CommandReply> lateNotice(T transaction, UUID id, CommandOutcome outcome) {
    return store
        .find(transaction, id)
        .filter(known -> known.command().lateAllowed() && known.outcome().isEmpty())
        .filter(known -> known.command().destination().isPresent())
        .map(known -> outcomes.reply(known.command(), outcome));
  }

  /**
   * Tells the listener of a reply to a command that has ended with another outcome.
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
    // The reply to a command that was sent comes from the other service, or never.
    boolean isSent = command.destination().isPresent() && reply instanceof CommandReply.TimedOut;
    if (command.replyTo().isPresent() && !isSent) {
      sendOrKeep(transaction, command, command.replyTo().get(), reply);
    }
  }

  /** Sends a reply. One that is no result and cannot be sent must not keep its command open. */
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

  /** Sends a reply to the destination that its command names. */
  void send(T transaction, String replyTo, NewCommand command, CommandReply reply) {
    append(transaction, replyTo, wire.reply(command, reply, replyTo));
  }

  /** Sends a reply to a message that may be no command. */
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
    var unused = replyOutbox(replyTo).append(transaction, reply);
  }

  /** Refuses a command that, or whose reply, could not be sent. */
  void checkSendable(NewCommand command) {
    command
        .destination()
        .ifPresent(to -> sendOutbox(to).check(wire.command(command, to, Optional.empty())));
    command
        .replyTo()
        .ifPresent(
            to -> {
              Outbox<T> unused = replyOutbox(to);
            });
  }

  /** Sends a command back to the destination that it came from, to arrive again at some time. */
  void sendAgain(
      T transaction,
      String destination,
      NewCommand command,
      Optional<Instant> deadline,
      Instant at) {
    var unused =
        sendOutbox(destination).append(transaction, wire.again(command, destination, deadline, at));
  }

  /** Sends a command to the service that handles it, if one does. */
  void send(T transaction, StoredCommand command) {
    command
        .command()
        .destination()
        .ifPresent(
            to -> {
              var unused =
                  sendOutbox(to)
                      .append(transaction, wire.command(command.command(), to, command.deadline()));
            });
  }

  /** Returns the dead letters among which commands may be; empty where this bus sends none. */
  Optional<DeadLetterStore> deadLetters() {
    return Optional.ofNullable(outbox).filter(any -> sends).map(Outbox::deadLetters);
  }

  private Outbox<T> sendOutbox(String destination) {
    return requireOutbox("send commands to", destination);
  }

  private Outbox<T> replyOutbox(String destination) {
    return requireOutbox("reply to", destination);
  }

  private Outbox<T> requireOutbox(String what, String destination) {
    if (outbox == null) {
      throw new IllegalStateException(
          "this command bus has no outbox, so it cannot %s '%s': give it one with"
                  .formatted(what, destination)
              + " CommandBus.builder(..).outbox(outbox)");
    }
    return outbox;
  }
}
