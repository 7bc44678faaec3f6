package io.postroad.internal.command;

import io.postroad.command.CommandReply;
import io.postroad.command.DuplicateCommandException;
import io.postroad.command.FailureCode;
import io.postroad.inbox.HandlerContext;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.JsonCodecException;
import io.postroad.message.Message;
import io.postroad.message.MessageIds;
import io.postroad.spi.CommandStore;
import io.postroad.spi.CommandStore.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Commands and replies that come over a broker, as handlers of an inbox: each is written down in
 * the inbox's transaction, and acknowledged after its commit. Safe to use from many threads.
 */
public final class CommandReception<T> {
  /** How often it is looked whether the command that has the key of another has ended. */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

  private final CommandStore<T> store;
  private final Transactions<T> transactions;
  private final CommandIntake<T> intake;
  private final CommandEnding<T> ending;
  private final CommandWire wire;
  private final Outcomes outcomes;
  private final ReplyFutures<T> futures;
  private final @Nullable String owner;
  private final CommandNews news;

  public CommandReception(
      CommandStore<T> store,
      Transactions<T> transactions,
      CommandIntake<T> intake,
      CommandEnding<T> ending,
      CommandWire wire,
      Outcomes outcomes,
      ReplyFutures<T> futures,
      @Nullable String owner,
      CommandNews news) {
    this.store = store;
    this.transactions = transactions;
    this.intake = intake;
    this.ending = ending;
    this.wire = wire;
    this.outcomes = outcomes;
    this.futures = futures;
    this.owner = owner;
    this.news = news;
  }

  /** A command: its row is written here and its turn comes; what is no command is replied to. */
  public void command(Message message, HandlerContext<T> context) {
    T transaction = context.transaction();
    if (!intake.hasHandler(message.type())) {
      IllegalArgumentException unknown = intake.unknown(message.type());
      refuse(transaction, message, context.messageId(), FailureCode.UNKNOWN_TYPE, unknown);
      return;
    }
    NewCommand command;
    try {
      command = intake.arrived(wire.arrived(message, context.messageId(), Instant.now()));
    } catch (IllegalArgumentException noCommand) {
      refuse(transaction, message, context.messageId(), FailureCode.INVALID, noCommand);
      return;
    }
    Acceptance acceptance = intake.accept(transaction, command);
    if (!acceptance.isNew()) {
      known(transaction, message, command, acceptance.command());
    }
    transactions.afterCommitOf(transaction, store.wakeUps()::signal);
  }

  /** Its key is known: it arrives where it was sent from, has ended, or is another command. */
  private void known(T transaction, Message message, NewCommand command, StoredCommand known) {
    if (!CommandIntake.isSame(command, known)) {
      DuplicateCommandException different =
          DuplicateCommandException.different(
              command.idempotencyKey(), known.id(), known.command().type(), outcomes.reply(known));
      reply(transaction, command, failed(command, FailureCode.INVALID, different));
    } else if (known.outcome().isPresent()) {
      reply(transaction, command, outcomes.reply(command, known.outcome().get()));
    } else if (known.id().equals(command.id())) {
      boolean unused = store.arrived(transaction, command.id());
    } else if (command.replyTo().isPresent()) {
      askAgain(transaction, message, command);
    }
  }

  /**
   * Another has sent the same command, which has not ended: the message comes back after a while,
   * through the outbox, until there is a reply or nobody waits for it. It is no failure of this
   * message, so it uses up no attempts and parks no key.
   */
  private void askAgain(T transaction, Message message, NewCommand command) {
    Optional<Instant> deadline = CommandWire.deadline(message.headers());
    Instant next = store.now().plus(ASK_AGAIN);
    if (command.lateAllowed() || deadline.filter(next::isAfter).isEmpty()) {
      ending.sendAgain(transaction, message.destination(), command, deadline, next);
    }
  }

  private void refuse(
      T transaction, Message message, String messageId, FailureCode code, Exception why) {
    Map<String, String> headers = message.headers();
    Optional<String> replyTo = CommandWire.header(headers, CommandWire.REPLY_TO);
    if (replyTo.isEmpty()) {
      throw new PermanentFailure(news.text(why), why);
    }
    UUID id =
        CommandWire.header(headers, CommandWire.COMMAND_ID)
            .map(MessageIds::of)
            .orElse(MessageIds.of(messageId));
    UUID correlationId = wire.correlationId(headers, id);
    ending.send(
        transaction,
        replyTo.get(),
        correlationId,
        CommandWire.header(headers, CommandWire.REPLY_OWNER),
        CommandReply.failed(id, correlationId, news.text(why), code));
  }

  private CommandReply failed(NewCommand command, FailureCode code, Exception why) {
    return CommandReply.failed(command.id(), command.correlationId(), news.text(why), code);
  }

  private void reply(T transaction, NewCommand command, CommandReply reply) {
    command.replyTo().ifPresent(to -> ending.send(transaction, to, command, reply));
  }

  /**
   * A reply: it ends the command that was sent from here. A notice, that one is late which may be,
   * is for who waits for it; listeners are told by the keeper, at the deadline.
   */
  public void reply(Message message, HandlerContext<T> context) {
    CommandWire.Replied replied;
    try {
      replied = wire.replied(message);
    } catch (IllegalArgumentException | JsonCodecException noReply) {
      throw new PermanentFailure("not a reply to a command: " + noReply.getMessage(), noReply);
    }
    requireOwn(message, replied.commandId());
    T transaction = context.transaction();
    if (replied.isNotice()) {
      ending
          .toldLate(transaction, replied.commandId(), replied.outcome())
          .ifPresent(late -> transactions.afterCommitOf(transaction, () -> futures.complete(late)));
      return;
    }
    Optional<CommandReply> reply =
        ending
            .replied(transaction, replied.commandId(), replied.outcome())
            .map(CommandEnding.Ended::reply);
    if (reply.isPresent()) {
      transactions.afterCommitOf(transaction, () -> futures.complete(reply.get()));
    } else if (ending.repliedLate(transaction, replied.commandId(), replied.outcome())) {
      news.replyIgnored(replied.commandId());
    } else {
      throw news.misdelivered(
          replied.commandId(),
          "this database has no such command: it was forgotten, or another service shares this"
              + " destination and has the same owner, or its reply came back without the header "
              + CommandWire.REPLY_OWNER);
    }
  }

  /**
   * Refuses a reply of another service. Receivers take only replies of this one, so it came another
   * way; a dead letter keeps it, where acknowledging would lose it and a rollback would bring it
   * back at once.
   */
  private void requireOwn(Message message, UUID commandId) {
    Optional<String> waiting = CommandWire.header(message.headers(), CommandWire.REPLY_OWNER);
    if (waiting.isPresent() && !waiting.get().equals(owner)) {
      throw news.misdelivered(
          commandId,
          "it belongs to '%s' and this service is '%s': receive replies by CommandBus.receive, or"
                  .formatted(waiting.get(), owner)
              + " from a destination of this service alone");
    }
  }
}
