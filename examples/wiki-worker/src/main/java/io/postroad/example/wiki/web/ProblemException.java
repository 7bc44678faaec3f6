package io.postroad.example.wiki.web;

/** Thrown for a malformed request. */
final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ProblemException(int status, String title, String field, String reason) {
    super(field + " " + reason);
    this.problem = new Problem(status, title, field, reason);
  }

  Problem problem() {
    return problem;
  }
}
