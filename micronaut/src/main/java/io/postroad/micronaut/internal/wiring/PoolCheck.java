package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Value;
import io.micronaut.context.env.Environment;
import io.micronaut.core.reflect.ClassUtils;
import io.postroad.framework.UnusableConfigurationException;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the settings of the application's Hikari pool; other pools tell nothing. */
@Singleton
final class PoolCheck {
  private static final Logger LOG = LoggerFactory.getLogger(PoolCheck.class);
  private static final int DEFAULT_OF_HIKARI = 10;

  private final Environment environment;
  private final String name;

  PoolCheck(Environment environment, @Value("${postroad.store.datasource:default}") String name) {
    this.environment = environment;
    this.name = name;
  }

  @Nullable Integer connections() {
    return environment
        .getProperty("datasources.%s.maximum-pool-size".formatted(name), Integer.class)
        .orElse(hasHikari() ? DEFAULT_OF_HIKARI : null);
  }

  private static boolean hasHikari() {
    return ClassUtils.isPresent(
        "com.zaxxer.hikari.HikariDataSource", PoolCheck.class.getClassLoader());
  }

  /** Refuses connections that are never in autocommit mode; warns if handlers could use them up. */
  void check(ConnectionBudget budget) {
    if (!environment
        .getProperty("datasources.%s.auto-commit".formatted(name), Boolean.class)
        .orElse(true)) {
      throw new UnusableConfigurationException(
          "With datasources.%s.auto-commit=false a scope without a transaction looks like one, and what is appended in it would be rolled back."
              .formatted(name),
          "Leave auto-commit out, or set it to true; transactions switch it off for themselves.");
    }
    budget.warning().ifPresent(LOG::warn);
  }
}
