package io.postroad.example.payment.run;

/** Tells each check, and whether all held. Used by one thread. */
final class Checks {
  private boolean ok = true;

  void that(boolean holds, String what) {
    Narrator.say((holds ? "  ok      " : "  FAILED  ") + what);
    ok &= holds;
  }

  boolean verdict(String all, String service) {
    Narrator.say(ok ? "OK: " + all : "FAILED; what the application said:\n" + service);
    return ok;
  }
}
