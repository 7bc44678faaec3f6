package io.postroad.spring.boot.internal;

import io.postroad.process.ProcessConfiguration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if the application uses commands: by its property, by handlers or by processes. */
public final class OnCommands extends SpringBootCondition implements ConfigurationCondition {
  private static final String ENABLED = "postroad.commands.enabled";

  @Override
  public ConfigurationPhase getConfigurationPhase() {
    return ConfigurationPhase.REGISTER_BEAN;
  }

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    @Nullable Boolean enabled = context.getEnvironment().getProperty(ENABLED, Boolean.class);
    @Nullable ConfigurableListableBeanFactory beans = context.getBeanFactory();
    if (enabled != null) {
      return new ConditionOutcome(enabled, ENABLED + " is " + enabled);
    }
    if (beans == null) {
      return ConditionOutcome.noMatch("there are no beans");
    }
    if (beans.getBeanNamesForType(ProcessConfiguration.class, true, false).length > 0) {
      return ConditionOutcome.match("a process is defined");
    }
    Set<String> handlers = Map.copyOf(CommandBeans.of(beans)).keySet();
    return new ConditionOutcome(
        !handlers.isEmpty(), "beans with methods for commands: " + handlers);
  }
}
