package io.postroad.tck;

import java.util.List;
import org.junit.platform.suite.api.AfterSuite;

/**
 * A chosen part of the contracts, for a store that is not finished. Extend it, name the {@link
 * StoreFixture}, and choose contracts by their names:
 *
 * <pre>{@code
 * @ConfigurationParameter(key = StoreTck.FIXTURE, value = "com.example.MyStoreFixture")
 * @IncludeClassNamePatterns(".*\\.(Append|RoundTrip|Claim)Contract")
 * class MyStoreTckTest extends PartialStoreTck {}
 * }</pre>
 */
public abstract class PartialStoreTck extends StoreTck {

  @AfterSuite
  static void report() {
    TckRun.takeLatest().finish(List.of());
  }
}
