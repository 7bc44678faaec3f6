package io.postroad.micronaut.internal.settings;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;
import java.util.Locale;

/** Whether a database is the one that {@code postroad.store.type} asks for. */
public abstract class OnStore implements Condition {
  private final StoreProperties.Type type;

  private OnStore(StoreProperties.Type type) {
    this.type = type;
  }

  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public boolean matches(ConditionContext context) {
    ConditionContext<?> asking = context;
    String asked =
        asking
            .getProperty("postroad.store.type", String.class)
            .orElse("auto")
            .toUpperCase(Locale.ROOT);
    return asked.equals(StoreProperties.Type.AUTO.name()) || asked.equals(type.name());
  }

  public static final class Postgres extends OnStore {
    public Postgres() {
      super(StoreProperties.Type.POSTGRES);
    }
  }

  public static final class Mongo extends OnStore {
    public Mongo() {
      super(StoreProperties.Type.MONGODB);
    }
  }
}
