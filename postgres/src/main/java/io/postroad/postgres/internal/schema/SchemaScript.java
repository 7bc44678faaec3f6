package io.postroad.postgres.internal.schema;

import io.postroad.internal.store.SchemaFile;
import io.postroad.postgres.PostgresOptions;
import java.util.List;

/** The steps as one script for database administrators. */
public final class SchemaScript {
  private SchemaScript() {}

  public static String of(List<SchemaFile> steps, PostgresOptions options) {
    SchemaHistory history = new SchemaHistory(options);
    StringBuilder script = new StringBuilder();
    script
        .append("-- Postroad's tables, version ")
        .append(steps.get(steps.size() - 1).version())
        .append(", for a database that has none of them.\n")
        .append("-- Run it as the role that shall own them: psql -v ON_ERROR_STOP=1 -f FILE\n\n")
        .append("BEGIN;\n");
    if (!options.schema().equals("public")) {
      script.append("CREATE SCHEMA IF NOT EXISTS ").append(schemaName(options)).append(";\n");
    }
    script.append(searchPath(options)).append(";\n\n");
    script.append(history.createSql()).append(";\n\n");
    for (SchemaFile step : steps) {
      script.append("-- ").append(step.file()).append("\n\n");
      script.append(SchemaSteps.sql(step, options)).append('\n');
      script.append(history.recordSql(step)).append(";\n\n");
    }
    if (options.streams()) {
      script.append("-- For claims of one destination\n\n");
      script.append(StreamIndex.create(options)).append(";\n\n");
    }
    return script.append("COMMIT;\n").toString();
  }

  /** For this transaction, so that the steps' names go into the schema. */
  public static String searchPath(PostgresOptions options) {
    return "SET LOCAL search_path TO " + schemaName(options);
  }

  public static String schemaName(PostgresOptions options) {
    return "\"" + options.schema() + "\"";
  }
}
