package io.postroad.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A child JVM that repeats what it reads and ends with the given exit code when told to. */
final class EchoMain {
  private EchoMain() {}

  public static void main(String[] args) throws IOException {
    System.out.println("ready " + args[0] + " " + System.getenv("POSTROAD_TEST_WORD"));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line;
    while ((line = in.readLine()) != null && !line.equals("exit")) {
      System.out.println(
          line.equals("inherited") ? "inherited " + JavaCommand.inherited() : "echo " + line);
    }
    System.err.println("leaving");
    System.exit(Integer.parseInt(args[0]));
  }
}
