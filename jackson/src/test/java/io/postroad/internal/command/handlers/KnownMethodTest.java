package io.postroad.internal.command.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.DomainCommand;
import io.postroad.jackson.JacksonJsonCodec;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Methods that a framework has found follow the same rules as methods that Postroad finds. */
class KnownMethodTest {

  record CreateAccountCommand(String owner) implements DomainCommand {}

  record Misnamed(String owner) implements DomainCommand {}

  static class AccountService {
    public String createAccount(CreateAccountCommand command) {
      return command.owner();
    }
  }

  /** Named as Micronaut names its proxies. */
  static class AccountService$Intercepted extends AccountService {}

  static class AnotherService {}

  private static AutoCommandHandlerRegistry.Builder<Object> builder() {
    return AutoCommandHandlerRegistry.builder(JacksonJsonCodec.create());
  }

  private static AutoCommandHandlerRegistry.Builder<Object> with(
      AutoCommandHandlerRegistry.Builder<Object> builder, Class<?> owner, boolean proxy) {
    return builder.method(
        owner,
        "createAccount",
        CreateAccountCommand.class,
        String.class,
        proxy,
        (command, context) -> command.owner());
  }

  @Test
  void aKnownMethodIsAHandlerWithItsReturnType() {
    AutoCommandHandlerRegistry<Object> registry =
        with(builder(), AccountService.class, false).build();

    assertThat(registry.types()).containsExactly("CreateAccount");
    assertThat(registry.resultType("CreateAccount")).contains(String.class);
  }

  @Test
  void twoOwnersAreRefusedAndNamedByTheirSourceClasses() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                with(
                        with(builder(), AccountService$Intercepted.class, true),
                        AnotherService.class,
                        false)
                    .build())
        .withMessageContaining(
            "Found 2 different implementations: [AccountService, AnotherService]");
  }

  @Test
  void aProxyIsPreferredToThePlainBean() {
    AutoCommandHandlerRegistry<Object> registry =
        with(builder().bean(new AccountService()), AccountService$Intercepted.class, true).build();

    assertThat(registry.types()).containsExactly("CreateAccount");
  }

  @Test
  void aFutureIsRefusedAndAMethodOfAMisnamedCommandIsNotAHandler() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                builder()
                    .method(
                        AccountService.class,
                        "later",
                        CreateAccountCommand.class,
                        CompletableFuture.class,
                        false,
                        (command, context) -> null)
                    .build())
        .withMessageContaining("AccountService.later");
    assertThat(
            builder()
                .method(
                    AccountService.class,
                    "misnamed",
                    Misnamed.class,
                    void.class,
                    false,
                    (command, context) -> null)
                .build()
                .types())
        .isEmpty();
  }

  /** Extends the class as a framework does for test doubles. */
  @Test
  void aTestDoubleHasNoHandlers() {
    AutoCommandHandlerRegistry<Object> standIn = new AutoCommandHandlerRegistry<>() {};
    assertThat(standIn.types()).isEmpty();
    assertThat(standIn.hasHandler("CreateAccount")).isFalse();
  }
}
