package io.postroad.mongodb;

import io.postroad.tck.CompetingStoreTck;
import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;

/** Every contract against a collection that a team already had. */
@ConfigurationParameter(
    key = StoreTck.FIXTURE,
    value = "io.postroad.mongodb.internal.client.MongoLayoutFixture")
class MongoLayoutTckTest extends CompetingStoreTck {}
