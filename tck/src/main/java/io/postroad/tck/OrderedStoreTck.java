package io.postroad.tck;

import io.postroad.tck.contract.Contracts;
import org.junit.platform.suite.api.AfterSuite;
import org.junit.platform.suite.api.ExcludeTags;

/**
 * Every contract of an {@link io.postroad.spi.OrderedStore}. Extend it and name the {@link
 * StoreFixture}:
 *
 * <pre>{@code
 * @ConfigurationParameter(key = StoreTck.FIXTURE, value = "com.example.MyStoreFixture")
 * class MyStoreTckTest extends OrderedStoreTck {}
 * }</pre>
 */
@ExcludeTags("competing")
public abstract class OrderedStoreTck extends StoreTck {

  @AfterSuite
  static void everyContractRan() {
    TckRun.takeLatest().finish(Contracts.ofOrderedStores());
  }
}
