package io.postroad.postgres.internal.schema;

import io.postroad.internal.store.SchemaFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The first steps as files for an application's own Flyway, which it finds at {@code
 * classpath:io/postroad/postgres/flyway}. They also write our history, so that a schema which
 * Flyway made is verified and upgraded like any other. The build runs this class and puts the files
 * into the jar.
 */
final class FlywayFiles {
  /** Later steps stay out of the application's numbers: its own begin after this one. */
  private static final int LAST = 2;

  private FlywayFiles() {}

  /**
   * @param args where to write the files
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    for (SchemaFile step : SchemaSteps.ALL) {
      if (step.version() <= LAST) {
        Files.writeString(directory.resolve(step.file()), text(step));
      }
    }
  }

  static String text(SchemaFile step) {
    String history = "${prefix}" + SchemaHistory.TABLE;
    StringBuilder file = new StringBuilder();
    if (step.version() == 1) {
      file.append(SchemaHistory.createSql(history)).append(";\n\n");
    }
    return file.append(step.text())
        .append('\n')
        .append(SchemaHistory.recordSql(history, step))
        .append(";\n")
        .toString();
  }
}
