package io.postroad.spring.boot.traced;

import io.postroad.spring.boot.TestDatabases;

/** {@link TracedContract} on MongoDB. */
class TracedOnMongoTest extends TracedContract {

  TracedOnMongoTest() {
    super(
        TestDatabases.mongo("traced"),
        "spring.autoconfigure.exclude="
            + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
            + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration");
  }
}
