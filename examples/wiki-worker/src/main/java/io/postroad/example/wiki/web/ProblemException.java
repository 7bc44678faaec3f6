package io.postroad.example.wiki.web;

/** A request that is refused because of how it was made. */
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
