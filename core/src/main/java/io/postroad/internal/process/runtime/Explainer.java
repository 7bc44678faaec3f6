package io.postroad.internal.process.runtime;

import io.postroad.command.CommandBus;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.ProcessState.Carried;
import io.postroad.internal.process.engine.StepProgress;
import io.postroad.process.Node;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessExplanation;
import io.postroad.process.ProcessExplanation.Waits;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StepState;
import io.postroad.spi.StoredCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Explains what a process waits for. Safe to use from many threads. */
public final class Explainer<T> {
  private final CommandBus<T> bus;
  private final Definitions<T> definitions;
  private final Supplier<Instant> now;

  /**
   * Creates an explainer.
   *
   * @param now returns the time of the database
   */
  public Explainer(CommandBus<T> bus, Definitions<T> definitions, Supplier<Instant> now) {
    this.bus = bus;
    this.definitions = definitions;
    this.now = now;
  }

  public ProcessExplanation explain(ProcessState state) {
    ProcessGraph graph = definitions.graph(state.type(), state.definition());
    List<Waits> waits = new ArrayList<>();
    for (ProcessEvent.RequestQueued request : state.requests()) {
      waits.add(
          new Waits(
              request.target().orElse(""),
              "a node that has definition %s to do %s%s, which was asked for%s"
                  .formatted(
                      state.definition(),
                      request.verb(),
                      request.target().map(" of '%s'"::formatted).orElse(""),
                      request.actor().map(" by "::concat).orElse("")),
              state.updatedAt(),
              Optional.empty(),
              Optional.empty()));
    }
    for (StepProgress progress : state.all()) {
      waits.addAll(waits(graph, state, progress));
    }
    boolean isStuck = state.status().isActive() && !state.isPaused() && waits.isEmpty();
    return new ProcessExplanation(
        state.id(), state.status(), sentence(state, waits, isStuck), waits, isStuck);
  }

  private List<Waits> waits(ProcessGraph graph, ProcessState state, StepProgress progress) {
    List<Waits> waits = new ArrayList<>();
    for (UUID command : progress.running()) {
      waits.add(ofCommand(state, progress, command, "step " + progress.node() + again(progress)));
    }
    if (progress.state() == StepState.UNDOING) {
      waits.add(
          ofCommand(
              state,
              progress,
              progress.undo().orElseThrow(),
              "the undo of step " + progress.node()));
    } else if (progress.state() == StepState.WAITING) {
      waits.add(
          new Waits(
              progress.node(),
              graph.node(progress.node()) instanceof Node.Await await
                  ? "signal '%s'%s; send it with signal(..), or skip(..) the wait"
                      .formatted(
                          await.signal(), progress.due().map(at -> " until " + at).orElse(""))
                  : "the time to be " + progress.due().map(Instant::toString).orElse("?"),
              progress.since(),
              progress.due(),
              Optional.empty()));
    } else if (progress.state() == StepState.HELD) {
      waits.add(
          new Waits(
              progress.node(),
              "resume(..) of the process before it begins " + progress.node(),
              progress.since(),
              Optional.empty(),
              Optional.empty()));
    }
    return waits;
  }

  private static String again(StepProgress progress) {
    return progress.state() == StepState.RETRYING
        ? " (attempt %d, after %s)".formatted(progress.attempt(), progress.error().orElse("?"))
        : "";
  }

  private static Waits ofCarried(
      StepProgress progress, Carried carried, String what, boolean isActive) {
    return new Waits(
        progress.node(),
        "%s: %s; %s"
            .formatted(
                what,
                runs(carried.command(), carried.node(), progress.since().toString()),
                isActive
                    ? "others may take it from %s on".formatted(carried.until())
                    : "no other node begins it"),
        progress.since(),
        Optional.of(carried.until()),
        Optional.of(carried.node()));
  }

  private static String runs(UUID command, String node, String since) {
    return "command %s runs on %s since %s".formatted(command, node, since);
  }

  private Waits ofCommand(ProcessState state, StepProgress progress, UUID id, String what) {
    Optional<StoredCommand> found = bus.find(id);
    Optional<Carried> carried = state.carried().filter(command -> command.command().equals(id));
    if (found.isEmpty() && carried.isPresent()) {
      return ofCarried(progress, carried.get(), what, state.status().isActive());
    }
    if (found.isEmpty()) {
      return new Waits(
          progress.node(),
          "%s: its command %s is not stored any more, so no reply will come; terminate(..) it"
              .formatted(what, id),
          progress.since(),
          Optional.empty(),
          Optional.empty());
    }
    StoredCommand command = found.get();
    return new Waits(
        progress.node(),
        "%s: %s".formatted(what, where(command)),
        progress.since(),
        command.dueAt(),
        command.owner());
  }

  /** Tells the end of the lease, so that an operator notices a node that does not answer. */
  private String lease(StoredCommand command) {
    return command
        .dueAt()
        .map(
            until ->
                until.isAfter(now.get())
                    ? "; others may take it from %s on".formatted(until)
                    : "; its lease is over since %s: the node stands still or is cut off, and another node takes the command when the database has ended its transaction"
                        .formatted(until))
        .orElse("");
  }

  private String where(StoredCommand command) {
    String failed =
        command.lastError().map(error -> "; its last attempt failed: " + error).orElse("");
    String deadline = command.deadline().map(at -> "; it times out at " + at).orElse("");
    String where =
        switch (command.status()) {
          case PROCESSING ->
              runs(
                      command.id(),
                      command.owner().orElse("some node"),
                      command.since().map(Instant::toString).orElse("?"))
                  + lease(command);
          case PENDING ->
              command.command().destination().isPresent()
                  ? "command %s was sent to '%s' and not replied to"
                      .formatted(command.id(), command.command().destination().get())
                  : "command %s is queued and due at %s"
                      .formatted(command.id(), command.dueAt().map(Instant::toString).orElse("?"));
          case COMPLETED, FAILED ->
              "command %s has ended, and the process was not told yet".formatted(command.id());
        };
    return where + deadline + failed;
  }

  private static String sentence(ProcessState state, List<Waits> waits, boolean isStuck) {
    String head =
        "%s '%s' is %s%s"
            .formatted(
                state.type(),
                state.businessKey(),
                state.status(),
                state.isPaused() ? " and paused" : "");
    String why = state.failureText().map(text -> " because " + text).orElse("");
    if (isStuck) {
      return head + why + ", and nothing is pending: it is stuck; retry(..) or terminate(..) it";
    }
    if (waits.isEmpty()) {
      return head + why + " since " + state.updatedAt();
    }
    return head
        + why
        + ", and waits for "
        + waits.stream().map(Waits::what).collect(Collectors.joining("; and for "));
  }
}
