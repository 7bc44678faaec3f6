package io.postroad.internal.process.engine;

import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StepState;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The step that a process is at, for people.
 *
 * @param name a step; the fork while branches run, the undo while a step is undone, the last step
 *     of an ended process
 * @param retries the retries of that step
 */
public record CurrentStep(String name, int retries) {

  public static CurrentStep of(ProcessGraph graph, ProcessState state) {
    Optional<StepProgress> undoing = state.in(StepState.UNDOING).findFirst();
    if (undoing.isPresent()) {
      return new CurrentStep(
          graph.getCompensationStep(undoing.get().node()).orElseThrow(),
          undoing.get().undos().size() - 1);
    }
    List<StepProgress> open =
        state.all().stream().filter(progress -> progress.state().isOpen()).toList();
    if (open.size() == 1) {
      return at(open.get(0));
    }
    if (open.size() > 1) {
      return new CurrentStep(openFork(graph, state), 0);
    }
    return state.all().stream()
        .filter(progress -> graph.node(progress.node()) instanceof Node.Step)
        .max(Comparator.comparing(StepProgress::since))
        .map(CurrentStep::at)
        .orElse(new CurrentStep(graph.first(), 0));
  }

  private static CurrentStep at(StepProgress progress) {
    return new CurrentStep(progress.node(), Math.max(0, progress.attempt() - 1));
  }

  /** Returns the outermost fork that has not been joined. */
  private static String openFork(ProcessGraph graph, ProcessState state) {
    return state.all().stream()
        .filter(
            progress ->
                graph.node(progress.node()) instanceof Node.Fork fork
                    && state.progress(fork.join()).isEmpty())
        .map(StepProgress::node)
        .findFirst()
        .orElse(graph.first());
  }
}
