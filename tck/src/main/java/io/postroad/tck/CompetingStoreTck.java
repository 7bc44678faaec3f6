package io.postroad.tck;

import io.postroad.tck.contract.Contracts;
import org.junit.platform.suite.api.AfterSuite;
import org.junit.platform.suite.api.ExcludeTags;

/**
 * Every contract of a {@link io.postroad.spi.CompetingStore}. Extend it and name the {@link
 * StoreFixture}:
 *
 * <pre>{@code
 * @ConfigurationParameter(key = StoreTck.FIXTURE, value = "com.example.MyStoreFixture")
 * class MyStoreTckTest extends CompetingStoreTck {}
 * }</pre>
 */
@ExcludeTags("ordered")
public abstract class CompetingStoreTck extends StoreTck {

  @AfterSuite
  static void everyContractRan() {
    TckRun.takeLatest().finish(Contracts.ofCompetingStores());
  }
}
