package io.postroad.spring.boot.traced;

import io.postroad.spring.boot.TestDatabases;

/** {@link TracedContract} on PostgreSQL. */
class TracedOnPostgresTest extends TracedContract {

  TracedOnPostgresTest() {
    super(TestDatabases.postgres("traced"));
  }
}
