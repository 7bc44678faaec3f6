package io.postroad.mongodb;

import io.postroad.tck.OrderedStoreTck;
import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;

@ConfigurationParameter(key = StoreTck.FIXTURE, value = "io.postroad.mongodb.MongoOrderedFixture")
final class MongoOrderedTckTest extends OrderedStoreTck {}
