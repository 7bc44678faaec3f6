package io.postroad.tck.sample;

import io.postroad.tck.PartialStoreTck;
import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** The contracts that the sample store keeps so far. */
@ConfigurationParameter(key = StoreTck.FIXTURE, value = "io.postroad.tck.sample.MapStoreFixture")
@IncludeClassNamePatterns(".*\\.(Append|RoundTrip|Scheduling|Claim|Lease|Fencing)Contract")
class MapStoreTckTest extends PartialStoreTck {}
