package io.postroad.spring.boot.internal;

import io.postroad.schema.SchemaException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells that tables or collections are missing or old, and the way out. */
final class SchemaAnalyzer extends AbstractFailureAnalyzer<SchemaException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, SchemaException cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()),
        "Let the application create and upgrade what Postroad needs with"
            + " postroad.store.schema-mode=migrate, if its user may do that. Otherwise have it done"
            + " before the start: by Flyway from classpath:io/postroad/postgres/flyway, or by the"
            + " script that PostgresSchema prints.",
        cause);
  }
}
