package io.postroad.spring.boot.internal;

import io.postroad.spring.boot.StoreProperties;
import java.util.Locale;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether a database is the one that {@code postroad.store.type} asks for. */
public abstract class OnStore extends SpringBootCondition {
  static final String TYPE = "postroad.store.type";

  private final StoreProperties.Type type;

  private OnStore(StoreProperties.Type type) {
    this.type = type;
  }

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    String asked = context.getEnvironment().getProperty(TYPE, "auto").toLowerCase(Locale.ROOT);
    boolean fits = asked.equals("auto") || asked.equals(type.name().toLowerCase(Locale.ROOT));
    return new ConditionOutcome(fits, TYPE + " is " + asked);
  }

  public static final class Postgres extends OnStore {
    Postgres() {
      super(StoreProperties.Type.POSTGRES);
    }
  }

  public static final class Mongo extends OnStore {
    Mongo() {
      super(StoreProperties.Type.MONGODB);
    }
  }
}
