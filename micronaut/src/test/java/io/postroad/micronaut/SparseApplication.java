package io.postroad.micronaut;

import io.micrometer.observation.ObservationRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.RuntimeBeanDefinition;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.BeanDefinition;
import io.postroad.inbox.Handlers;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.transaction.Transactions;
import jakarta.jms.ConnectionFactory;
import java.lang.reflect.Proxy;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * An application on whatever class path loads it: appends a message, waits until its own handler
 * has it, and tells which classes of Postroad are beans in it. Takes its properties.
 */
public final class SparseApplication implements Function<Map<String, Object>, Set<String>> {

  @Override
  public Set<String> apply(Map<String, Object> properties) {
    CountDownLatch handled = new CountDownLatch(1);
    List<Object> beans = new ArrayList<>();
    if (isThere("jakarta.jms.ConnectionFactory")) {
      beans.add(Jms.connections());
    }
    if (isThere("io.micrometer.observation.ObservationRegistry")) {
      beans.add(Observations.registry());
    }
    try (ApplicationContext context =
        ApplicationContext.builder(getClass().getClassLoader())
            .properties(properties)
            .singletons(beans.toArray())
            .beanDefinitions(handlers(handled))
            .start()) {
      append(context);
      if (!handled.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("the message has not reached its handler");
      }
      return ofPostroad(context);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } finally {
      forgetDrivers();
    }
  }

  /** With its type, by which it is asked for; the bean of an instance has none. */
  private static RuntimeBeanDefinition<?> handlers(CountDownLatch handled) {
    return RuntimeBeanDefinition.builder(
            Argument.of(Handlers.class, Object.class),
            () ->
                Handlers.builder()
                    .onAny("orders", "billing", (message, context) -> handled.countDown())
                    .build())
        .singleton(true)
        .build();
  }

  /** Those of this class path, which the JVM would keep otherwise. */
  private static void forgetDrivers() {
    try {
      for (Driver driver : DriverManager.drivers().toList()) {
        DriverManager.deregisterDriver(driver);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isThere(String type) {
    return ClassUtils.isPresent(type, getClass().getClassLoader());
  }

  @SuppressWarnings("unchecked") // there is one database
  private static <T> void append(ApplicationContext context) {
    Outbox<T> outbox = context.getBean(Outbox.class);
    Transactions<T> transactions = context.getBean(Transactions.class);
    transactions.run(
        transaction ->
            outbox.append(
                transaction, Message.event("OrderPlaced").to("orders").json("{}").build()));
  }

  private static Set<String> ofPostroad(ApplicationContext context) {
    Set<String> names = new TreeSet<>();
    for (BeanDefinition<?> definition : context.getBeanDefinitions(Object.class)) {
      if (definition.getBeanType().getPackageName().startsWith("io.postroad.micronaut.internal.")) {
        names.add(definition.getBeanType().getSimpleName());
      }
    }
    return names;
  }

  /** Unused connections, where there is JMS. */
  private static final class Jms {
    static Object connections() {
      return Proxy.newProxyInstance(
          Jms.class.getClassLoader(),
          new Class<?>[] {ConnectionFactory.class},
          (proxy, method, arguments) ->
              switch (method.getName()) {
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                case "toString" -> "connections that nobody uses";
                default -> throw new UnsupportedOperationException(method.getName());
              });
    }
  }

  /** An unread registry, where there are observations. */
  private static final class Observations {
    static Object registry() {
      return ObservationRegistry.create();
    }
  }
}
