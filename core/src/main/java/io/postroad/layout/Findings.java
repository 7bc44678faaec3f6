package io.postroad.layout;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is said about a table while it is looked at. Used by one thread. */
final class Findings {
  private final List<String> remarks = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> blamed = new HashSet<>();

  void remark(String text) {
    remarks.add(text);
  }

  void problem(String where, String what, String remedy) {
    problem(List.of(where), what, remedy);
  }

  /** A problem of several columns at once. */
  void problem(List<String> where, String what, String remedy) {
    blamed.addAll(where);
    problems.add(new Problem(String.join("/", where), what, remedy));
  }

  /** Whether a problem names this column. */
  boolean blames(String column) {
    return blamed.contains(column);
  }

  List<String> remarks() {
    return List.copyOf(remarks);
  }

  List<Problem> problems() {
    return List.copyOf(problems);
  }
}
