package io.postroad.process.check;

import io.postroad.internal.process.check.DataCheck;
import io.postroad.internal.process.check.DeadlineCheck;
import io.postroad.internal.process.check.Findings;
import io.postroad.internal.process.check.ForkCheck;
import io.postroad.internal.process.check.HandlerCheck;
import io.postroad.internal.process.check.ReturnCheck;
import io.postroad.internal.process.check.StructureCheck;
import io.postroad.internal.process.graph.GraphPaths;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessDefinitionException;
import io.postroad.process.ProcessGraph;
import java.util.List;

/** Checks a process definition and its handlers before a process runs. Stateless, without I/O. */
public final class ProcessValidator {
  private ProcessValidator() {}

  /** Returns errors and warnings, in the order of the graph. */
  public static List<ProcessFinding> check(
      ProcessGraph graph, ProcessConfiguration configuration, ProcessHandlers handlers) {
    Findings findings = new Findings(graph.processType());
    new StructureCheck(graph, findings)
        .soundPart()
        .ifPresent(sound -> check(sound, configuration, handlers, findings));
    return findings.all();
  }

  private static void check(
      ProcessGraph graph,
      ProcessConfiguration configuration,
      ProcessHandlers handlers,
      Findings findings) {
    GraphPaths paths = new GraphPaths(graph);
    new HandlerCheck(graph, paths, handlers, findings).run();
    new DataCheck(graph, paths, configuration.startData(), handlers, findings).run();
    new ForkCheck(graph, paths, handlers, findings).run();
    new ReturnCheck(graph, paths, configuration, findings).run();
    new DeadlineCheck(graph, findings).run();
  }

  /**
   * Throws when there are errors, and ignores warnings.
   *
   * @param findings of one process or of several
   * @throws ProcessDefinitionException when there are errors, with all of them
   */
  public static void refuseErrors(List<ProcessFinding> findings) {
    List<ProcessFinding> errors = findings.stream().filter(ProcessFinding::isError).toList();
    if (!errors.isEmpty()) {
      throw new ProcessDefinitionException(errors);
    }
  }
}
