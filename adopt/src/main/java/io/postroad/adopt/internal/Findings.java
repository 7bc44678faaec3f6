package io.postroad.adopt.internal;

import io.postroad.adopt.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects remarks and problems during an inspection. Used by one thread. */
public final class Findings {
  private final List<String> remarks = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> blamed = new HashSet<>();

  public void remark(String text) {
    remarks.add(text);
  }

  public void problem(String where, String what, String remedy) {
    problem(List.of(where), what, remedy);
  }

  /** Adds a problem of several columns. */
  void problem(List<String> where, String what, String remedy) {
    blamed.addAll(where);
    problems.add(new Problem(String.join("/", where), what, remedy));
  }

  /** Whether a problem names this column. */
  boolean blames(String column) {
    return blamed.contains(column);
  }

  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  public List<Problem> problems() {
    return List.copyOf(problems);
  }
}
