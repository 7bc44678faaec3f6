package io.postroad.micronaut.internal.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.order.Ordered;
import io.postroad.micronaut.Apps;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The order of starts and stops among the listeners of the application. */
class PartsLifecycleTest {
  private static final String SWITCH = "test.lifecycle";

  /** What happened, in this order; given to the application. */
  static final class Told {
    final List<String> events = new ArrayList<>();
  }

  @Test
  void partsStartAfterAllOthersAndStopWithTheApplication() {
    Told told = new Told();
    ApplicationContext context = Apps.with(Map.of(SWITCH, "fine")).singletons(told).start();
    context.close();
    assertThat(told.events).containsExactly("listener", "start", "stop");
  }

  @Test
  void nothingRunsWhenAnotherKeepsTheApplicationFromStarting() {
    Told told = new Told();
    assertThatThrownBy(() -> Apps.with(Map.of(SWITCH, "throws")).singletons(told).start())
        .hasStackTraceContaining("not today");
    assertThat(told.events).containsExactly("listener");
  }

  @Factory
  @Requires(property = SWITCH)
  static class Observed {
    @Singleton
    Part observed(Told told) {
      return new Part(
          Part.Phase.RELAY,
          "observed",
          () -> told.events.add("start"),
          () -> told.events.add("stop"));
    }
  }

  /** Later than most, and still before the parts. */
  @Singleton
  @Requires(property = SWITCH)
  static class Late implements ApplicationEventListener<StartupEvent>, Ordered {
    private final Told told;
    private final boolean throwing;

    Late(Told told, @Value("${" + SWITCH + "}") String how) {
      this.told = told;
      this.throwing = how.equals("throws");
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
      told.events.add("listener");
      if (throwing) {
        throw new IllegalStateException("not today");
      }
    }

    @Override
    public int getOrder() {
      return 1000;
    }
  }
}
