package io.postroad.postgres.internal.schema;

import io.postroad.internal.store.SchemaFile;
import io.postroad.postgres.PostgresOptions;
import java.util.List;

/**
 * The numbered files of the schema. Their names and the placeholders {@code ${prefix}} and {@code
 * ${lanes}} are those that Flyway expects.
 */
public final class SchemaSteps {
  public static final List<SchemaFile> ALL =
      List.of(load(1, "V1__baseline.sql"), load(2, "V2__process_manager.sql"));

  private SchemaSteps() {}

  private static SchemaFile load(int version, String file) {
    return SchemaFile.load(SchemaSteps.class, "/io/postroad/postgres/schema/", version, file);
  }

  /** Returns the statements of a file for these options. */
  public static String sql(SchemaFile step, PostgresOptions options) {
    return step.text()
        .replace("${prefix}", options.prefix())
        .replace("${lanes}", Integer.toString(options.lanes()));
  }
}
