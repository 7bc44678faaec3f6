package io.postroad.spring.boot.internal;

import io.postroad.transaction.Transactions;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.EmptyTargetSource;
import org.springframework.beans.factory.BeanFactory;

/**
 * Takes the place of a bean with handlers, which is created when its first command comes, because
 * it may itself need the command bus or the process manager. Flushes JPA when the handler returns,
 * so that a constraint that fails is the handler's failure. A failure of the commit would be tried
 * again.
 */
public final class LateBean implements MethodInterceptor {
  private final BeanFactory beans;
  private final String name;
  private final Runnable flush;

  private LateBean(BeanFactory beans, String name, Runnable flush) {
    this.beans = beans;
    this.name = name;
    this.flush = flush;
  }

  /** Returns a proxy; the bean itself where its class allows none. */
  public static <T> Object of(
      BeanFactory beans, String name, Class<?> type, Transactions<T> transactions) {
    if (Proxy.isProxyClass(type) || type.isInterface() || Modifier.isFinal(type.getModifiers())) {
      return beans.getBean(name);
    }
    ProxyFactory factory = new ProxyFactory();
    factory.setTargetSource(EmptyTargetSource.forClass(type, false));
    factory.setProxyTargetClass(true);
    factory.addAdvice(
        new LateBean(beans, name, () -> transactions.current().ifPresent(transactions::flush)));
    return factory.getProxy(type.getClassLoader());
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object bean = beans.getBean(name);
    // Of the bean's own class: it may be a proxy, and its class need not be public.
    Method method = AopUtils.selectInvocableMethod(invocation.getMethod(), bean.getClass());
    @Nullable Object result =
        AopUtils.invokeJoinpointUsingReflection(bean, method, invocation.getArguments());
    flush.run();
    return result;
  }
}
