package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Executable;
import io.micronaut.context.annotation.Requires;
import io.postroad.command.CommandBus;
import io.postroad.command.DomainCommand;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import org.junit.jupiter.api.Test;

/** Which methods of a bean are for commands. */
class HandlerMethodsTest {

  record OpenCommand(String name) implements DomainCommand {}

  record HiddenCommand(String name) implements DomainCommand {}

  record GuardedCommand(String name) implements DomainCommand {}

  @Test
  void aMethodThatIsNotPublicIsNone() {
    try (ApplicationContext context =
        Apps.with(Apps.freshPostgres("micronaut_methods"), Beans.ASKED, "sender,methods").start()) {
      CommandBus<?> bus = context.getBean(CommandBus.class);
      assertThat(bus.types()).containsExactly("Open");
    }
  }

  @Singleton
  @Requires(property = Beans.ASKED, pattern = ".*methods.*")
  static class Methods {
    @Transactional
    public void open(OpenCommand command) {}

    /** For callers in its package. Advice makes it executable, too. */
    @Transactional
    void hidden(HiddenCommand command) {}

    @Executable
    protected void guarded(GuardedCommand command) {}
  }
}
