package io.postroad.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Log of a server since one of its starts.
 *
 * @param start the size of the file before that start
 */
record ServerLog(Path file, long start) {
  private static final int TAIL_LINES = 40;

  static ServerLog from(Path file) {
    return new ServerLog(file, file.toFile().length());
  }

  boolean contains(String text) {
    return text().contains(text);
  }

  /** The last lines, to be put at the end of an error message. */
  String tail() {
    String[] lines = text().split("\n");
    int first = Math.max(0, lines.length - TAIL_LINES);
    return "the end of its log:\n"
        + String.join("\n", Arrays.asList(lines).subList(first, lines.length));
  }

  private String text() {
    try {
      byte[] all = Files.readAllBytes(file);
      int from = (int) Math.min(start, all.length);
      return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(cannot read " + file + ": " + e + ")";
    }
  }
}
