package io.postroad.spring.boot.internal;

import io.postroad.spring.boot.UnusableConfigurationException;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Refuses an application with two databases that does not say which: its messages would be part of
 * the transactions of one, and it might mean the other.
 */
public final class StoreCheck implements BeanFactoryPostProcessor {
  private final Environment environment;

  public StoreCheck(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
    if (environment.getProperty(OnStore.TYPE, "auto").equalsIgnoreCase("auto")
        && beans.containsBeanDefinition("postroadPostgresOptions")
        && beans.containsBeanDefinition("postroadMongoOptions")) {
      throw new UnusableConfigurationException(
          "The application has a DataSource and a MongoDB client, and the modules of Postroad for"
              + " both, so it is open in whose transactions messages are written.",
          "Say which with postroad.store.type=postgres or postroad.store.type=mongodb, or take the"
              + " other module from the class path.");
    }
  }
}
