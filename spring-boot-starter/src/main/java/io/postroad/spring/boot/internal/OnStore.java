package io.postroad.spring.boot.internal;

import io.postroad.framework.internal.settings.StoreType;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if {@code postroad.store.type} allows a database. */
public abstract class OnStore extends SpringBootCondition {
  private final StoreType type;

  private OnStore(StoreType type) {
    this.type = type;
  }

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    String asked = context.getEnvironment().getProperty(StoreType.PROPERTY, "auto");
    return new ConditionOutcome(type.isAllowedBy(asked), StoreType.PROPERTY + " is " + asked);
  }

  public static final class Postgres extends OnStore {
    Postgres() {
      super(StoreType.POSTGRES);
    }
  }

  public static final class Mongo extends OnStore {
    Mongo() {
      super(StoreType.MONGODB);
    }
  }
}
