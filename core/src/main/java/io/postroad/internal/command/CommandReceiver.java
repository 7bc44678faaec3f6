package io.postroad.internal.command;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandReply;
import io.postroad.command.FailureCode;
import io.postroad.inbox.HandlerContext;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.JsonCodecException;
import io.postroad.message.Message;
import io.postroad.message.MessageIds;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Receives commands and replies over a broker, as handlers of an inbox. Each is written in the
 * transaction of the inbox, and acknowledged after its commit. Safe to use from many threads.
 */
public final class CommandReceiver<T> {
  /** How often a message asks whether another command with the same key has ended. */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

  private final CommandParts<T> parts;
  private final CommandAcceptor<T> acceptor;
  private final CommandCompleter<T> completer;
  private final CommandEvents events;
  private final CommandWire wire;

  public CommandReceiver(CommandParts<T> parts, CommandAcceptor<T> acceptor, CommandWire wire) {
    this.parts = parts;
    this.acceptor = acceptor;
    this.completer = parts.completer();
    this.events = parts.events();
    this.wire = wire;
  }

  /**
   * Adds the handlers for commands and replies to those of an inbox.
   *
   * @param destinations where commands arrive, by type
   */
  public void receive(Handlers.Builder<T> handlers, Map<String, String> destinations) {
    Optional<String> replyTo = acceptor.routes().replyTo();
    destinations.forEach(
        (type, destination) -> {
          requireHandler(type);
          if (replyTo.filter(destination::equals).isPresent()) {
            throw new IllegalArgumentException(
                "commands of type %s and replies both come from '%s': use another destination for"
                        .formatted(type, destination)
                    + " one of them");
          }
          handlers.onAny(destination, "command " + type, this::command);
        });
    replyTo.ifPresent(
        destination -> {
          handlers.onAny(destination, "command replies", this::reply);
          handlers.only(
              destination, CommandWire.REPLY_OWNER, acceptor.routes().owner().orElseThrow());
        });
  }

  private void requireHandler(String type) {
    AutoCommandHandlerRegistry<T> registry = parts.handlers().registry();
    if (!registry.hasHandler(type)) {
      throw registry.unknown(type);
    }
  }

  /** Writes the row of a command, or replies to a message that is none. */
  private void command(Message message, HandlerContext<T> context) {
    T transaction = context.transaction();
    NewCommand command;
    try {
      requireHandler(message.type());
    } catch (IllegalArgumentException unknown) {
      refuse(transaction, message, context.messageId(), FailureCode.UNKNOWN_TYPE, unknown);
      return;
    }
    try {
      command = acceptor.arrived(wire.arrived(message, context.messageId(), Instant.now()));
    } catch (IllegalArgumentException noCommand) {
      refuse(transaction, message, context.messageId(), FailureCode.INVALID, noCommand);
      return;
    }
    Acceptance acceptance = acceptor.write(transaction, command);
    if (!acceptance.isNew()) {
      known(transaction, message, command, acceptance.command());
    }
  }

  /** Answers a command whose key is known: sent from here, ended already, or another command. */
  private void known(T transaction, Message message, NewCommand command, StoredCommand known) {
    if (!CommandAcceptor.isSame(command, known)) {
      String error = events.text(acceptor.different(command, known));
      reply(
          transaction,
          command,
          CommandReply.failed(command.id(), command.correlationId(), error, FailureCode.INVALID));
    } else if (known.outcome().isPresent()) {
      reply(transaction, command, wire.outcomes().reply(command, known.outcome().get()));
    } else if (known.id().equals(command.id())) {
      boolean unused = parts.store().arrived(transaction, command.id());
    } else if (command.replyTo().isPresent()) {
      askAgain(transaction, message, command);
    }
  }

  /**
   * Sends the message again after a while, because the same command was sent before and has not
   * ended, until there is a reply or the deadline has passed. That is no failure of the message, so
   * it uses up no attempts and blocks no key.
   */
  private void askAgain(T transaction, Message message, NewCommand command) {
    Optional<Instant> deadline = CommandWire.deadline(message.headers());
    Instant next = parts.store().now().plus(ASK_AGAIN);
    if (command.lateAllowed() || deadline.filter(next::isAfter).isEmpty()) {
      completer.sendAgain(transaction, message.destination(), command, deadline, next);
    }
  }

  private void refuse(
      T transaction, Message message, String messageId, FailureCode code, Exception why) {
    Map<String, String> headers = message.headers();
    Optional<String> replyTo = CommandWire.header(headers, CommandWire.REPLY_TO);
    if (replyTo.isEmpty()) {
      throw new PermanentFailure(events.text(why), why);
    }
    UUID id =
        CommandWire.header(headers, CommandWire.COMMAND_ID)
            .map(MessageIds::of)
            .orElse(MessageIds.of(messageId));
    UUID correlationId = wire.correlationId(headers, id);
    completer.send(
        transaction,
        replyTo.get(),
        correlationId,
        CommandWire.header(headers, CommandWire.REPLY_OWNER),
        CommandReply.failed(id, correlationId, events.text(why), code));
  }

  private void reply(T transaction, NewCommand command, CommandReply reply) {
    command.replyTo().ifPresent(to -> completer.send(transaction, to, command, reply));
  }

  /**
   * Ends the command that a reply belongs to. A late notice (deadline missed, completion still
   * possible) only completes waiting futures; the sweeper tells listeners at the deadline.
   */
  private void reply(Message message, HandlerContext<T> context) {
    CommandWire.Replied replied;
    try {
      replied = wire.replied(message);
    } catch (IllegalArgumentException | JsonCodecException noReply) {
      throw new PermanentFailure("not a reply to a command: " + noReply.getMessage(), noReply);
    }
    requireOwn(message, replied.commandId());
    T transaction = context.transaction();
    if (replied.isNotice()) {
      completer
          .lateNotice(transaction, replied.commandId(), replied.outcome())
          .ifPresent(late -> completeAfterCommit(transaction, late));
      return;
    }
    Optional<CommandReply> reply =
        completer
            .replied(transaction, replied.commandId(), replied.outcome())
            .map(CommandCompleter.Ended::reply);
    if (reply.isPresent()) {
      completeAfterCommit(transaction, reply.get());
    } else if (completer.repliedLate(transaction, replied.commandId(), replied.outcome())) {
      events.replyIgnored(replied.commandId());
    } else {
      throw events.misdelivered(
          replied.commandId(),
          "this database has no such command: it was forgotten, or another service shares this"
              + " destination and has the same owner, or its reply came back without the header "
              + CommandWire.REPLY_OWNER);
    }
  }

  /**
   * Refuses a reply for another service, which receivers of this bus leave alone. A dead letter
   * keeps it; an acknowledgement would lose it, and a rollback would bring it back at once.
   */
  private void requireOwn(Message message, UUID commandId) {
    Optional<String> waiting = CommandWire.header(message.headers(), CommandWire.REPLY_OWNER);
    if (waiting.isPresent() && !waiting.equals(acceptor.routes().owner())) {
      throw events.misdelivered(
          commandId,
          "it belongs to '%s' and this service is '%s': receive replies by CommandBus.receive, or"
                  .formatted(waiting.get(), acceptor.routes().owner().orElse("without an owner"))
              + " from a destination of this service alone");
    }
  }

  private void completeAfterCommit(T transaction, CommandReply reply) {
    parts.transactions().afterCommitOf(transaction, () -> parts.futures().complete(reply));
  }
}
