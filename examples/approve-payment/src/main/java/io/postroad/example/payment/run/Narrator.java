package io.postroad.example.payment.run;

/** Tells what happens. */
final class Narrator {
  private Narrator() {}

  static void say(String line) {
    System.out.println(line);
  }
}
