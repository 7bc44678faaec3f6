package io.postroad.micronaut;

import io.micronaut.context.env.MapPropertySource;
import java.util.Map;

/** Environment variables, read as Micronaut reads those of its process. */
public final class Variables extends MapPropertySource {
  public Variables(Map<String, Object> variables) {
    super("variables", variables);
  }

  @Override
  public PropertyConvention getConvention() {
    return PropertyConvention.ENVIRONMENT_VARIABLE;
  }
}
