package io.postroad.postgres;

import io.postroad.tck.OrderedStoreTck;
import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;

/** Every contract of ordered stores against a real PostgreSQL. */
@ConfigurationParameter(
    key = StoreTck.FIXTURE,
    value = "io.postroad.postgres.PostgresOrderedFixture")
class PostgresOrderedTckTest extends OrderedStoreTck {}
