package io.postroad.example.kit;

/** Prints the progress of an example. */
public final class Narrator {
  private Narrator() {}

  public static void say(String line) {
    System.out.println(line);
  }
}
