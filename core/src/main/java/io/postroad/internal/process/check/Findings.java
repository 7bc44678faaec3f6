package io.postroad.internal.process.check;

import io.postroad.process.check.ProcessFinding;
import io.postroad.process.check.ProcessFinding.Severity;
import java.util.ArrayList;
import java.util.List;

/** Collects the findings of one process. Used by one thread. */
public final class Findings {
  private final String process;
  private final List<ProcessFinding> all = new ArrayList<>();

  public Findings(String process) {
    this.process = process;
  }

  void error(String step, String path, String what) {
    add(Severity.ERROR, step, path, what);
  }

  void warning(String step, String path, String what) {
    add(Severity.WARNING, step, path, what);
  }

  /** Adds a finding about the whole process. */
  void warning(String what) {
    String text = "process '%s': %s".formatted(process, what);
    all.add(new ProcessFinding(Severity.WARNING, process, process, "", text));
  }

  private void add(Severity severity, String step, String path, String what) {
    String text = "process '%s', '%s' (%s): %s".formatted(process, step, path, what);
    all.add(new ProcessFinding(severity, process, step, path, text));
  }

  public List<ProcessFinding> all() {
    return List.copyOf(all);
  }
}
