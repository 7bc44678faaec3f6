package io.postroad.mongodb;

import io.postroad.tck.CompetingStoreTck;
import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;

/** Every contract where dead letters are moved. */
@ConfigurationParameter(key = StoreTck.FIXTURE, value = "io.postroad.mongodb.MongoMovingFixture")
class MongoMovingTckTest extends CompetingStoreTck {}
