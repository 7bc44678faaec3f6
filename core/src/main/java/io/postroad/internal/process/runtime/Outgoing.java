package io.postroad.internal.process.runtime;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandNotHereException;
import io.postroad.command.CommandRequest;
import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.process.engine.Binding.CannotBindException;
import io.postroad.internal.process.engine.Effect;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.Environment;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.message.JsonCodecException;
import io.postroad.process.Node;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The commands of processes as requests to the bus, and those that it would not take. That is known
 * before anything is written: what cannot be sent is a failure of its own step, not of the one
 * before it. Safe to use from many threads.
 */
public final class Outgoing<T> {
  private final CommandBus<T> bus;
  private final Definitions<T> definitions;
  private final ProcessCodec codec;
  private final boolean parksBranches;

  public Outgoing(
      CommandBus<T> bus, Definitions<T> definitions, ProcessCodec codec, boolean parksBranches) {
    this.bus = bus;
    this.definitions = definitions;
    this.codec = codec;
    this.parksBranches = parksBranches;
  }

  /** Those of one transition. */
  Requests of(Engine engine, Instant now) {
    return new Requests(engine, now);
  }

  /** The requests of one transition, each made once. Used by one thread. */
  final class Requests implements Environment.SendCheck {
    private final Engine engine;
    private final Instant now;
    private final Map<UUID, CommandRequest> checked = new HashMap<>();

    private Requests(Engine engine, Instant now) {
      this.engine = engine;
      this.now = now;
    }

    /**
     * Why a command cannot be sent.
     *
     * @throws CommandNotHereException when nobody handles it as far as this node knows, and the
     *     process runs on a definition of another release, whose nodes may know
     */
    @Override
    public Optional<String> whyNot(ProcessState state, Effect.Send send) {
      if (!bus.canAccept(send.type()) && !definitions.isCurrent(state.type(), state.definition())) {
        throw new CommandNotHereException(
            "process %s on definition %s goes on with %s, which this node knows no handler for"
                .formatted(state.id(), state.definition(), send.type()));
      }
      try {
        CommandRequest request = request(engine, state, send, now);
        bus.check(request);
        checked.put(send.command(), request);
        return Optional.empty();
      } catch (IllegalArgumentException | JsonCodecException refused) {
        return Optional.of(ErrorText.of(refused));
      }
    }

    /** The request for a command that can be sent. */
    CommandRequest of(Effect.Send send) {
      return Objects.requireNonNull(checked.get(send.command()));
    }
  }

  /** A command cannot be made again as it was: what it is made of, or the code, has changed. */
  static final class CannotMakeException extends Exception {
    private static final long serialVersionUID = 1L;

    CannotMakeException(String step, Throwable cause) {
      super(
          "the command of step %s cannot be made again: %s".formatted(step, ErrorText.of(cause)),
          cause);
    }
  }

  /**
   * The request for a command that was made before, and is to be the same.
   *
   * @throws CommandNotHereException when this node has not what it needs for it, and another may
   */
  CommandRequest again(Engine engine, ProcessState state, UUID command) throws CannotMakeException {
    Node.Step step = engine.stepOf(state, command);
    if (!bus.canAccept(step.command())) {
      throw new CommandNotHereException(
          "process %s waits for %s, which this node knows no handler for"
              .formatted(state.id(), step.command()));
    }
    try {
      CommandRequest request =
          request(engine, state, engine.again(state, command), state.updatedAt());
      bus.check(request);
      return request;
    } catch (CannotBindException | RuntimeException | Error broken) {
      throw new CannotMakeException(step.id(), broken);
    }
  }

  private CommandRequest request(Engine engine, ProcessState state, Effect.Send send, Instant now) {
    boolean isParked =
        parksBranches && !send.isUndo() && engine.scopes().of(send.step()).isPresent();
    CommandRequest request =
        CommandRequest.of(
                send.type(), send.key(), state.businessKey(), codec.encode(send.payload()))
            .withId(send.command())
            .withHeaders(ProcessHeaders.of(state, send.step(), isParked));
    if (!send.delay().isZero()) {
      request = request.notBefore(now.plus(send.delay()));
    }
    return send.timeout().isPresent() ? request.within(send.timeout().get()) : request;
  }
}
