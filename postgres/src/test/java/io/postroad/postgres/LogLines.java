package io.postroad.postgres;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged while it is open. It goes on to where it went before. */
public final class LogLines implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();

  public LogLines() {
    System.setErr(new PrintStream(new Tee(), true, StandardCharsets.UTF_8));
  }

  /** The lines with this text. */
  public List<String> with(String text) {
    return logged.toString(StandardCharsets.UTF_8).lines().filter(l -> l.contains(text)).toList();
  }

  /** Returns when there is a line with this text. */
  public void await(String text) {
    while (with(text).isEmpty()) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    System.setErr(before);
  }

  private final class Tee extends OutputStream {
    @Override
    public void write(int b) {
      logged.write(b);
      before.write(b);
    }
  }
}
