package io.postroad.example.kit;

/** Tells what happens. */
public final class Narrator {
  private Narrator() {}

  public static void say(String line) {
    System.out.println(line);
  }
}
