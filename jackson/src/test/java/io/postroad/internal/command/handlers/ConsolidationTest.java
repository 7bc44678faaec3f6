package io.postroad.internal.command.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandContext;
import io.postroad.command.CommandHandler;
import io.postroad.command.DomainCommand;
import io.postroad.command.Registries;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Phase 2: a type has one handler, and the error for two handlers names both. */
class ConsolidationTest {
  private static final String AMBIGUOUS =
      "Ambiguous handler registration for command type 'CreateAccount': ";

  record CreateAccountCommand(String owner) implements DomainCommand {}

  static class AccountService {
    public String createAccount(CreateAccountCommand command) {
      return command.owner();
    }
  }

  static class CreateAccountProcessDefinition {
    public Map<String, Object> createAccount(CreateAccountCommand command) {
      return Map.of("owner", command.owner());
    }
  }

  @Test
  void twoImplementationsAreRefusedAndNamedInTheOrderOfTheirNames() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(new CreateAccountProcessDefinition(), new AccountService()))
        .withMessageStartingWith(
            AMBIGUOUS
                + "Found 2 different implementations: [AccountService,"
                + " CreateAccountProcessDefinition]; a type has one handler: ")
        .withMessageContaining("if a process handles the command, remove the service method")
        .withMessageContaining("take single values instead of the command")
        .withMessageContaining("make it non-public");
  }

  static class ThirdService extends AccountService {}

  @Test
  void subclassThatInheritsTheMethodIsAnotherImplementation() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Registries.of(
                    new ThirdService(), new AccountService(), new CreateAccountProcessDefinition()))
        .withMessageContaining(
            "Found 3 different implementations: [AccountService, CreateAccountProcessDefinition,"
                + " ThirdService];");
  }

  static class TwoMethods {
    public void create(CreateAccountCommand command) {}

    public void createToo(CreateAccountCommand command) {}
  }

  @Test
  void twoMethodsOfOneClassAreNamedByMethod() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(new TwoMethods()))
        .withMessageStartingWith(
            AMBIGUOUS
                + "Found 2 different implementations: [TwoMethods.create, TwoMethods.createToo];");
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(new TwoMethods(), new AccountService()))
        .withMessageContaining("[AccountService, TwoMethods.create, TwoMethods.createToo];");
  }

  static class North {
    static class AccountService extends ConsolidationTest.AccountService {}
  }

  @Test
  void classesWithTheSameSimpleNameAreNamedInFull() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(new North.AccountService(), new AccountService()))
        .withMessageContaining(
            "[%s, %s];",
            "io.postroad.internal.command.handlers.ConsolidationTest$AccountService",
            "io.postroad.internal.command.handlers.ConsolidationTest$North$AccountService");
  }

  static class South {
    record CreateAccountCommand() implements DomainCommand {}

    static class Accounts {
      public void create(South.CreateAccountCommand command) {}
    }
  }

  @Test
  void commandsWithTheSameSimpleNameAreNamedBesideTheImplementations() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(new AccountService(), new South.Accounts()))
        .withMessageContaining(
            "[AccountService, Accounts] of different commands:"
                + " [io.postroad.internal.command.handlers.ConsolidationTest$CreateAccountCommand,"
                + " io.postroad.internal.command.handlers.ConsolidationTest$South$CreateAccountCommand];");
  }

  static class NamedHandler implements CommandHandler<String, CreateAccountCommand> {
    @Override
    public Object handle(CreateAccountCommand command, CommandContext<String> context) {
      return "by hand";
    }
  }

  @Test
  void anExplicitHandlerIsAnImplementation() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Registries.builder()
                    .bean(new AccountService())
                    .on(CreateAccountCommand.class, new NamedHandler())
                    .build())
        .withMessageContaining("[AccountService, NamedHandler];");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Registries.builder()
                    .bean(new AccountService())
                    .on(CreateAccountCommand.class, (command, context) -> null)
                    .build())
        .withMessageContaining("[AccountService, explicit handler];");
  }

  @Test
  void twoLambdasAreNamedByTheirPosition() {
    String place = "explicit handler in " + ConsolidationTest.class.getName();

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Registries.builder()
                    .on(CreateAccountCommand.class, (command, context) -> "one")
                    .on(CreateAccountCommand.class, (command, context) -> "two")
                    .build())
        .withMessageContaining("Found 2 different implementations: [%s, %s];", place, place);
  }

  @Test
  void twoBeansOfOneClassAreRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Registries.of(new AccountService(), new AccountService()))
        .withMessage(
            AMBIGUOUS
                + "Found several beans of one implementation: [AccountService.createAccount];"
                + " hand one of them to the registry");
  }

  @Test
  void aBeanThatIsAddedTwiceCountsOnce() {
    AccountService bean = new AccountService();

    assertThat(Registries.of(bean, bean).types()).containsExactly("CreateAccount");
  }

  @Test
  void registryDoesNotChangeWithItsBuilder() {
    AutoCommandHandlerRegistry.Builder<String> builder = Registries.builder();
    AutoCommandHandlerRegistry<String> before = builder.build();
    builder.bean(new AccountService());

    assertThat(before.types()).isEmpty();
    assertThat(builder.build().types()).containsExactly("CreateAccount");
  }
}
