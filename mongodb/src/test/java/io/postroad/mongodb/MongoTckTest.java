package io.postroad.mongodb;

import io.postroad.tck.CompetingStoreTck;
import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;

/** Every contract against a real MongoDB. */
@ConfigurationParameter(
    key = StoreTck.FIXTURE,
    value = "io.postroad.mongodb.internal.client.MongoFixture")
class MongoTckTest extends CompetingStoreTck {}
