package io.postroad.spring.boot.internal;

import io.postroad.command.DomainCommand;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the beans that have methods for commands, by their classes; creates no bean. */
public final class CommandBeans {
  private CommandBeans() {}

  /** Returns the names of the beans, and the class of each in the source code. */
  public static Map<String, Class<?>> of(ListableBeanFactory beans) {
    Map<String, Class<?>> found = new LinkedHashMap<>();
    for (String name : beans.getBeanNamesForType(Object.class, false, false)) {
      @Nullable Class<?> type = beans.getType(name, false);
      if (type != null && !name.startsWith("scopedTarget.") && hasHandler(type)) {
        found.put(name, ClassUtils.getUserClass(type));
      }
    }
    return found;
  }

  private static boolean hasHandler(Class<?> type) {
    if (type.getName().startsWith("org.springframework.")) {
      return false;
    }
    try {
      for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
        if (method.getParameterCount() == 1
            && DomainCommand.class.isAssignableFrom(method.getParameterTypes()[0])) {
          return true;
        }
      }
      return false;
    } catch (NoClassDefFoundError optional) {
      // A class of an optional library that is missing; such a bean cannot be used.
      return false;
    }
  }
}
