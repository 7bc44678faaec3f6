package io.postroad.micronaut;

import io.postroad.transaction.Transactions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store with other transactions than its own, so that contracts run in them. */
final class WithTransactions {
  private WithTransactions() {}

  static <S> S proxy(Class<S> type, S store, Transactions<?> transactions) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("transactions")) {
                return transactions;
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            }));
  }
}
