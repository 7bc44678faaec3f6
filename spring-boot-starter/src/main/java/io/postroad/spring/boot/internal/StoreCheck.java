package io.postroad.spring.boot.internal;

import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.settings.StoreType;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/** Refuses an application with two databases that does not choose one. */
public record StoreCheck(Environment environment) implements BeanFactoryPostProcessor {

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
    if (environment.getProperty(StoreType.PROPERTY, "auto").equalsIgnoreCase("auto")
        && beans.containsBeanDefinition("postroadPostgresOptions")
        && beans.containsBeanDefinition("postroadMongoOptions")) {
      throw Refusals.twoDatabases();
    }
  }
}
