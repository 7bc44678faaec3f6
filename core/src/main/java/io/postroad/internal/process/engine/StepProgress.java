package io.postroad.internal.process.engine;

import io.postroad.internal.process.record.Sparse;
import io.postroad.process.StepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Where a node of a process is, and what is needed to go on from there or to undo it. Immutable.
 *
 * @param node its id
 * @param state where it is
 * @param since since when
 * @param attempt how often it was begun, since an operator had it tried again if one did
 * @param commands one for each attempt
 * @param running those among the commands that have not ended, as far as is known
 * @param unknown those among the commands that may have been done although they timed out
 * @param done those that were done
 * @param refused those that failed
 * @param order when it was done, among all that was done: 1, 2, 3 ...; 0 when it was not
 * @param request what the command was made of, if it can be undone
 * @param reply what it replied, if it can be undone
 * @param error why it failed last
 * @param undos the commands that were to undo it, one for each attempt
 * @param due when its timer fires
 */
@Sparse
public record StepProgress(
    String node,
    StepState state,
    Instant since,
    int attempt,
    List<UUID> commands,
    List<UUID> running,
    List<UUID> unknown,
    List<UUID> done,
    List<UUID> refused,
    long order,
    Map<String, Object> request,
    Map<String, Object> reply,
    Optional<String> error,
    List<UUID> undos,
    Optional<Instant> due) {

  static StepProgress of(String node, StepState state, Instant since) {
    return new StepProgress(
        node,
        state,
        since,
        0,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        0,
        Map.of(),
        Map.of(),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  /** The command of the newest attempt. */
  Optional<UUID> command() {
    return commands.isEmpty() ? Optional.empty() : Optional.of(commands.get(commands.size() - 1));
  }

  /** The command of the newest attempt to undo it. */
  public Optional<UUID> undo() {
    return undos.isEmpty() ? Optional.empty() : Optional.of(undos.get(undos.size() - 1));
  }

  /** Whether an attempt that timed out may have been done. */
  boolean isMaybeDone() {
    return !unknown.isEmpty();
  }

  /** Whether an attempt turned out to be done while its undo was under way. */
  public boolean isDoneWhileUndone() {
    return unknown.stream().anyMatch(done::contains);
  }

  StepProgress to(StepState next, Instant at) {
    return with(
        draft -> {
          draft.state = next;
          draft.since = at;
          draft.due = Optional.empty();
        });
  }

  StepProgress withAttempt(UUID command, Map<String, Object> input) {
    return with(
        draft -> {
          draft.attempt++;
          draft.commands = plus(commands, command);
          draft.running = plus(running, command);
          draft.request = input;
        });
  }

  /** Counted from there on; the commands of the attempts before stay known. */
  StepProgress withAttempts(int count) {
    return with(draft -> draft.attempt = count);
  }

  StepProgress withUnknown(List<UUID> maybe) {
    return with(draft -> draft.unknown = maybe);
  }

  StepProgress withUnknown(UUID command) {
    return withUnknown(plus(unknown, command));
  }

  StepProgress withoutUnknown(UUID command) {
    return withUnknown(minus(unknown, command));
  }

  /** It has ended, one way or another. */
  StepProgress withoutRunning(UUID command) {
    return with(draft -> draft.running = minus(running, command));
  }

  StepProgress withDone(UUID command) {
    return with(draft -> draft.done = plus(done, command));
  }

  StepProgress withRefused(UUID command) {
    return with(draft -> draft.refused = plus(refused, command));
  }

  StepProgress withOrder(long position) {
    return with(draft -> draft.order = position);
  }

  StepProgress withReply(Map<String, Object> data) {
    return with(draft -> draft.reply = data);
  }

  StepProgress withError(String text) {
    return with(draft -> draft.error = Optional.of(text));
  }

  StepProgress withUndo(UUID command) {
    return with(draft -> draft.undos = plus(undos, command));
  }

  StepProgress withDue(Optional<Instant> at) {
    return with(draft -> draft.due = at);
  }

  private static List<UUID> minus(List<UUID> ids, UUID id) {
    return ids.stream().filter(other -> !other.equals(id)).toList();
  }

  private static List<UUID> plus(List<UUID> ids, UUID id) {
    List<UUID> more = new ArrayList<>(ids);
    more.add(id);
    return List.copyOf(more);
  }

  private StepProgress with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.progress();
  }

  /** What is changed by one event. */
  private static final class Draft {
    private final String node;
    private StepState state;
    private Instant since;
    private int attempt;
    private List<UUID> commands;
    private List<UUID> running;
    private List<UUID> unknown;
    private List<UUID> done;
    private List<UUID> refused;
    private long order;
    private Map<String, Object> request;
    private Map<String, Object> reply;
    private Optional<String> error;
    private List<UUID> undos;
    private Optional<Instant> due;

    Draft(StepProgress from) {
      node = from.node;
      state = from.state;
      since = from.since;
      attempt = from.attempt;
      commands = from.commands;
      running = from.running;
      unknown = from.unknown;
      done = from.done;
      refused = from.refused;
      order = from.order;
      request = from.request;
      reply = from.reply;
      error = from.error;
      undos = from.undos;
      due = from.due;
    }

    StepProgress progress() {
      return new StepProgress(
          node, state, since, attempt, commands, running, unknown, done, refused, order, request,
          reply, error, undos, due);
    }
  }
}
