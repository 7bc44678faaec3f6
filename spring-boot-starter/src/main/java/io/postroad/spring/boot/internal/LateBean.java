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
 * Stands in for a bean with handlers that is made when its first command comes: until then it may
 * itself need the command bus or the process manager. What JPA holds back is written when the
 * handler returns, so that what the database refuses is the handler's failure and not trouble with
 * the commit, which would be tried again.
 */
public final class LateBean implements MethodInterceptor {
  private final BeanFactory beans;
  private final String name;
  private final Transactions<?> transactions;

  private LateBean(BeanFactory beans, String name, Transactions<?> transactions) {
    this.beans = beans;
    this.name = name;
    this.transactions = transactions;
  }

  /** A stand-in; the bean itself where its class allows none. */
  public static Object of(
      BeanFactory beans, String name, Class<?> type, Transactions<?> transactions) {
    if (Proxy.isProxyClass(type) || type.isInterface() || Modifier.isFinal(type.getModifiers())) {
      return beans.getBean(name);
    }
    ProxyFactory factory = new ProxyFactory();
    factory.setTargetSource(EmptyTargetSource.forClass(type, false));
    factory.setProxyTargetClass(true);
    factory.addAdvice(new LateBean(beans, name, transactions));
    return factory.getProxy(type.getClassLoader());
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object bean = beans.getBean(name);
    // Of the bean as it is: it may be a proxy, and its class need not be public.
    Method method = AopUtils.selectInvocableMethod(invocation.getMethod(), bean.getClass());
    @Nullable Object result =
        AopUtils.invokeJoinpointUsingReflection(bean, method, invocation.getArguments());
    flush();
    return result;
  }

  private void flush() {
    var unused = transactions.current();
  }
}
