package io.postroad.outbox;

import io.postroad.spi.BlockedMessageStore;
import io.postroad.spi.LaneStore;
import io.postroad.spi.LogStore;
import io.postroad.spi.OrderedStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A store between whose verbs something else happens. */
public final class WatchedStore {
  private static final Set<Class<?>> ROLES =
      Set.of(LaneStore.class, LogStore.class, BlockedMessageStore.class);

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
    return watched(OrderedStore.class, store);
  }

  /** Watches a store, and each role that it hands out. */
  private <W> W watched(Class<W> type, Object target) {
    return type.cast(
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object answer;
              try {
                answer = method.invoke(target, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
              if (ROLES.contains(method.getReturnType())) {
                return watched(method.getReturnType(), answer);
              }
              Runnable then = after.remove(method.getName());
              if (then != null) {
                then.run();
              }
              return answer;
            }));
  }
}
