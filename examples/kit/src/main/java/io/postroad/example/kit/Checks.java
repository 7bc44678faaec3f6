package io.postroad.example.kit;

import java.net.http.HttpResponse;

/** Tells each check, and whether all held. Used by one thread. */
public final class Checks {
  private boolean ok = true;

  public void that(boolean holds, String what) {
    Narrator.say((holds ? "  ok      " : "  FAILED  ") + what);
    ok &= holds;
  }

  /** Whether an answer is a problem that names this field and says why. */
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
   * @param log what the application said, told if something failed
   */
  public boolean verdict(String all, String log) {
    Narrator.say(ok ? "OK: " + all : "FAILED; what the application said:\n" + log);
    return ok;
  }
}
