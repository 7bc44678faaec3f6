package io.postroad.example.kit;

import java.net.http.HttpResponse;

/** Prints each check, and remembers whether all passed. Used by one thread. */
public final class Checks {
  private boolean ok = true;

  public void that(boolean holds, String what) {
    Narrator.say((holds ? "  ok      " : "  FAILED  ") + what);
    ok &= holds;
  }

  /** Checks that an answer is a problem with a field and a reason. */
  public void isProblem(HttpResponse<String> answer, int status, String field, String what) {
    boolean holds =
        answer.statusCode() == status
            && answer.headers().firstValue("Content-Type").orElse("").contains("problem+json")
            && answer.body().contains("\"field\":\"" + field + "\"")
            && answer.body().contains("\"reason\":");
    that(
        holds,
        "%s is %d with field and reason%s"
            .formatted(
                what, status, holds ? "" : ", got " + answer.statusCode() + " " + answer.body()));
  }

  /**
   * Prints the result and returns it.
   *
   * @param log the output of the application, printed if a check failed
   */
  public boolean result(String all, String log) {
    Narrator.say(ok ? "OK: " + all : "FAILED; output of the application:\n" + log);
    return ok;
  }
}
