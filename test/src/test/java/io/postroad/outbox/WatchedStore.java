package io.postroad.outbox;

import io.postroad.spi.OrderedStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A store between whose verbs something else happens. */
public final class WatchedStore {
  /** A lane reads ahead on a thread of its own. */
  private final Map<String, Runnable> after = new ConcurrentHashMap<>();

  /** Runs something once, when the store's verb of this name has done its work. */
  public void after(String verb, Runnable then) {
    after.put(verb, then);
  }

  public boolean isWaitingFor(String verb) {
    return after.containsKey(verb);
  }

  public OrderedStore<?> over(OrderedStore<?> store) {
    return (OrderedStore<?>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {OrderedStore.class},
            (proxy, method, arguments) -> {
              Object answer;
              try {
                answer = method.invoke(store, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
              Runnable then = after.remove(method.getName());
              if (then != null) {
                then.run();
              }
              return answer;
            });
  }
}
