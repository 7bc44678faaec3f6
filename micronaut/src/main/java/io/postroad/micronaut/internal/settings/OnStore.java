package io.postroad.micronaut.internal.settings;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;
import io.postroad.framework.internal.settings.StoreType;

/** Matches if {@code postroad.store.type} allows a database. */
public abstract class OnStore implements Condition {
  private final StoreType type;

  private OnStore(StoreType type) {
    this.type = type;
  }

  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public boolean matches(ConditionContext context) {
    ConditionContext<?> typed = context;
    return type.isAllowedBy(
        typed.getProperty(StoreType.PROPERTY, String.class).orElse(StoreType.AUTO.name()));
  }

  public static final class Postgres extends OnStore {
    public Postgres() {
      super(StoreType.POSTGRES);
    }
  }

  public static final class Mongo extends OnStore {
    public Mongo() {
      super(StoreType.MONGODB);
    }
  }
}
