package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.postroad.micronaut.UnusableConfigurationException;
import io.postroad.micronaut.internal.settings.StoreProperties;

/**
 * Refuses an application with two databases that does not say which: its messages would be part of
 * the transactions of one, and it might mean the other.
 */
@Context
final class StoreCheck {

  StoreCheck(BeanContext beans, StoreProperties store) {
    if (store.type() == StoreProperties.Type.AUTO
        && beans.getBeanDefinitions(RetryStores.class).size() > 1) {
      throw new UnusableConfigurationException(
          "The application has a DataSource and a MongoDB client, and the modules of Postroad for"
              + " both, so it is open in whose transactions messages are written.",
          "Say which with postroad.store.type=postgres or postroad.store.type=mongodb, or take the"
              + " other module from the class path.");
    }
  }
}
