package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.settings.StoreType;
import io.postroad.micronaut.internal.settings.StoreProperties;

/** Refuses an application with two databases that does not choose one. */
@Context
final class StoreCheck {

  StoreCheck(BeanContext beans, StoreProperties store) {
    if (store.type() == StoreType.AUTO && beans.getBeanDefinitions(RetryStores.class).size() > 1) {
      throw Refusals.twoDatabases();
    }
  }
}
