package io.postroad.test;

import io.postroad.tck.OrderedStoreTck;
import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;

@ConfigurationParameter(key = StoreTck.FIXTURE, value = "io.postroad.test.InMemoryOrderedFixture")
class InMemoryOrderedTckTest extends OrderedStoreTck {}
