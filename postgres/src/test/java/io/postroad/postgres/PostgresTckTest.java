package io.postroad.postgres;

import io.postroad.tck.CompetingStoreTck;
import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;

/** Every contract against a real PostgreSQL. */
@ConfigurationParameter(key = StoreTck.FIXTURE, value = "io.postroad.postgres.PostgresFixture")
class PostgresTckTest extends CompetingStoreTck {}
