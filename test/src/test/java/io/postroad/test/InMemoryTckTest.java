package io.postroad.test;

import io.postroad.tck.CompetingStoreTck;
import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;

@ConfigurationParameter(key = StoreTck.FIXTURE, value = "io.postroad.test.InMemoryFixture")
class InMemoryTckTest extends CompetingStoreTck {}
