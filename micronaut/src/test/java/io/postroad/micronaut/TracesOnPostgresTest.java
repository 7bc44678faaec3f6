package io.postroad.micronaut;

import java.util.Map;

/** {@link TracesContract} on PostgreSQL. */
class TracesOnPostgresTest extends TracesContract {
  TracesOnPostgresTest() {
    super("traced-postgres");
  }

  @Override
  Map<String, Object> freshDatabase() {
    return Apps.freshPostgres("micronaut_traced");
  }
}
