package io.postroad.internal.command;

import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.message.JsonCodec;
import io.postroad.message.JsonCodecException;
import io.postroad.message.Message;
import io.postroad.message.MessageIds;
import io.postroad.message.WireHeaders;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.NewCommand;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Turns commands and replies into messages and back. {@code docs/learn/commands.md} lists the
 * headers for services without Postroad. Safe to use from many threads.
 */
public final class CommandWire {
  static final String COMMAND_ID = "command-id";
  static final String CORRELATION_ID = "correlation-id";
  static final String IDEMPOTENCY_KEY = "idempotency-key";
  public static final String BUSINESS_KEY = "business-key";
  public static final String REPLY_TO = "reply-to";

  /** Names the service that waits for the reply; the reply carries it back. */
  public static final String REPLY_OWNER = "reply-owner";

  static final String DEADLINE = "command-deadline";
  static final String LATE = "command-late";

  private static final Set<String> OWN =
      Set.of(
          COMMAND_ID,
          CORRELATION_ID,
          IDEMPOTENCY_KEY,
          BUSINESS_KEY,
          REPLY_TO,
          REPLY_OWNER,
          DEADLINE,
          LATE);

  static final String COMPLETED = "CommandCompleted";
  static final String FAILED = "CommandFailed";
  static final String TIMED_OUT = "CommandTimedOut";

  private final JsonCodec codec;
  private final Outcomes outcomes;

  public CommandWire(JsonCodec codec, Outcomes outcomes) {
    this.codec = codec;
    this.outcomes = outcomes;
  }

  Outcomes outcomes() {
    return outcomes;
  }

  public static boolean isOwn(String header) {
    return OWN.contains(header);
  }

  /** Makes the message of a command; both have the same id. */
  Message command(NewCommand command, String destination, Optional<Instant> deadline) {
    return message(command, destination, deadline).id(command.id()).build();
  }

  /**
   * Makes a message that brings the command again at some time, with an id that is new to inboxes.
   */
  Message again(NewCommand command, String destination, Optional<Instant> deadline, Instant at) {
    return message(command, destination, deadline).id(MessageIds.next()).notBefore(at).build();
  }

  private static Message.Builder message(
      NewCommand command, String destination, Optional<Instant> deadline) {
    Message.Builder message =
        Message.command(command.type())
            .to(destination)
            .key(command.businessKey())
            .json(command.payload())
            .header(COMMAND_ID, command.id().toString())
            .header(CORRELATION_ID, command.correlationId().toString())
            .header(IDEMPOTENCY_KEY, command.idempotencyKey())
            .header(BUSINESS_KEY, command.businessKey());
    command
        .headers()
        .forEach(
            (name, value) -> {
              if (!name.startsWith(CommandRequest.KEPT)) {
                message.header(name, value);
              }
            });
    command.replyTo().ifPresent(replyTo -> message.header(REPLY_TO, replyTo));
    command.notBefore().ifPresent(message::notBefore);
    deadline.ifPresent(end -> message.header(DEADLINE, end.toString()));
    if (command.lateAllowed()) {
      message.header(LATE, "allowed");
    }
    return message;
  }

  /** A command as it arrived: a request, and the id that its sender gave it. */
  record Arrived(UUID id, CommandRequest request, Optional<String> owner) {}

  /**
   * Reads a command from a message.
   *
   * @param now by the clock of this node, for the deadline that the sender has set
   * @throws IllegalArgumentException when the message is no command; the text says why
   */
  Arrived arrived(Message message, String messageId, Instant now) {
    Map<String, String> headers = message.headers();
    UUID id = header(headers, COMMAND_ID).map(CommandWire::uuid).orElse(MessageIds.of(messageId));
    CommandRequest request =
        CommandRequest.of(
                message.type(),
                header(headers, IDEMPOTENCY_KEY).orElse(messageId + ":" + message.type()),
                header(headers, BUSINESS_KEY).or(message::key).orElse(id.toString()),
                text(message))
            .withHeaders(ofSender(headers))
            .withCorrelationId(correlationId(headers, id));
    Optional<String> replyTo = header(headers, REPLY_TO);
    if (replyTo.isPresent()) {
      request = request.replyTo(replyTo.get());
    }
    if (headers.containsKey(LATE)) {
      request = request.evenLate();
    }
    Optional<Instant> deadline = deadline(headers);
    if (deadline.isPresent()) {
      Duration left = Duration.between(now, deadline.get());
      request = request.within(left.compareTo(Duration.ZERO) > 0 ? left : Duration.ofMillis(1));
    }
    return new Arrived(id, request, header(headers, REPLY_OWNER));
  }

  /** Returns the correlation id for the reply to a message, which may be no command. */
  UUID correlationId(Map<String, String> headers, UUID otherwise) {
    return header(headers, CORRELATION_ID).map(MessageIds::of).orElse(otherwise);
  }

  private static String text(Message message) {
    return message
        .payload()
        .text()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the body is not text in UTF-8, so it is no command; send a JSON object"));
  }

  private static Map<String, String> ofSender(Map<String, String> headers) {
    Map<String, String> theirs = new TreeMap<>(headers);
    theirs
        .keySet()
        .removeIf(
            name ->
                isOwn(name)
                    || WireHeaders.isReserved(name)
                    || name.startsWith(CommandRequest.KEPT));
    return theirs;
  }

  /** Returns the time until which the sender waits. */
  static Optional<Instant> deadline(Map<String, String> headers) {
    return header(headers, DEADLINE).map(CommandWire::instant);
  }

  /** Returns the id of the command in a message; empty where its header is no id. */
  static Optional<UUID> commandId(Message message) {
    try {
      return Optional.of(
          header(message.headers(), COMMAND_ID).map(UUID::fromString).orElse(message.id()));
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }

  static Optional<String> header(Map<String, String> headers, String name) {
    return Optional.ofNullable(headers.get(name)).filter(value -> !value.isBlank());
  }

  private static UUID uuid(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException noUuid) {
      throw new IllegalArgumentException(
          "header %s is no UUID: '%s'".formatted(COMMAND_ID, text), noUuid);
    }
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException noTime) {
      throw new IllegalArgumentException(
          "header %s is no time like 2026-01-31T12:00:00Z: '%s'".formatted(DEADLINE, text), noTime);
    }
  }

  /** Makes the message of a reply to a command. */
  Message reply(NewCommand command, CommandReply reply, String destination) {
    return reply(
        reply.commandId(),
        command.correlationId(),
        reply,
        destination,
        header(command.headers(), REPLY_OWNER));
  }

  /**
   * Makes the message of a reply. Its id is derived from the id and the outcome of the command, so
   * that the inbox of the receiver takes the same reply once.
   */
  Message reply(
      UUID commandId,
      UUID correlationId,
      CommandReply reply,
      String destination,
      Optional<String> owner) {
    String code = Outcomes.codeOf(reply);
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("commandId", commandId);
    body.put("correlationId", correlationId);
    body.put("outcome", code);
    if (reply instanceof CommandReply.Completed completed) {
      body.put("data", completed.data());
    } else if (reply instanceof CommandReply.Failed failed) {
      body.put("error", failed.error());
    } else if (reply instanceof CommandReply.TimedOut timedOut) {
      body.put("error", timedOut.error());
    }
    Message.Builder message =
        Message.reply(typeOf(reply))
            .id(MessageIds.of("reply " + commandId + " " + code))
            .to(destination)
            .key(correlationId.toString())
            .json(codec.encode(body))
            .header(COMMAND_ID, commandId.toString())
            .header(CORRELATION_ID, correlationId.toString());
    owner.ifPresent(name -> message.header(REPLY_OWNER, name));
    return message.build();
  }

  private static String typeOf(CommandReply reply) {
    if (reply instanceof CommandReply.Completed) {
      return COMPLETED;
    }
    return reply instanceof CommandReply.Failed ? FAILED : TIMED_OUT;
  }

  /** Marks a reply as a late notice: the command is still handled, and replied to again. */
  static Message notice(Message reply) {
    return reply.toBuilder().id(reply.id()).header(LATE, "true").build();
  }

  /**
   * A reply as it arrived.
   *
   * @param isNotice whether the command is late and another reply follows
   */
  record Replied(UUID commandId, CommandOutcome outcome, boolean isNotice) {}

  /**
   * Reads a reply from a message.
   *
   * @throws JsonCodecException when its body is no JSON object
   * @throws IllegalArgumentException when the message is no reply; the text says why
   */
  Replied replied(Message message) {
    Map<String, Object> body = outcomes.data(text(message));
    @Nullable Object id = body.getOrDefault("commandId", message.headers().get(COMMAND_ID));
    if (id == null) {
      throw new IllegalArgumentException(
          "it names no command: a reply has a field commandId or a header " + COMMAND_ID);
    }
    CommandOutcome outcome = outcome(message, body);
    boolean isNotice = outcome.isTimedOut() && message.headers().containsKey(LATE);
    return new Replied(uuid(id.toString()), outcome, isNotice);
  }

  private CommandOutcome outcome(Message message, Map<String, Object> body) {
    String error = String.valueOf(body.getOrDefault("error", "no reason given"));
    return switch (message.type()) {
      case COMPLETED -> CommandOutcome.completed(codec.encode(dataOf(body)));
      case TIMED_OUT -> CommandOutcome.timedOut(error);
      case FAILED ->
          CommandOutcome.failed(Outcomes.code(String.valueOf(body.get("outcome"))).name(), error);
      default ->
          throw new IllegalArgumentException(
              "type '%s' is no reply; those are %s, %s and %s"
                  .formatted(message.type(), COMPLETED, FAILED, TIMED_OUT));
    };
  }

  private static Object dataOf(Map<String, Object> body) {
    @Nullable Object data = body.get("data");
    return data instanceof Map ? data : Map.of();
  }
}
