package io.postroad.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTypeTest {
  record CreateOrderCommand() implements DomainCommand {}

  record UpdateInventoryCommand() implements DomainCommand {}

  record CancelPaymentCommand() implements DomainCommand {}

  record CommandCommand() implements DomainCommand {}

  record Command() implements DomainCommand {}

  record CreateOrder() implements DomainCommand {}

  record Do$ItCommand() implements DomainCommand {}

  @Test
  void typeIsTheSimpleNameWithoutTheSuffix() {
    assertThat(CommandType.of(CreateOrderCommand.class)).isEqualTo("CreateOrder");
    assertThat(CommandType.of(UpdateInventoryCommand.class)).isEqualTo("UpdateInventory");
    assertThat(CommandType.of(CancelPaymentCommand.class)).isEqualTo("CancelPayment");
    assertThat(CommandType.of(CommandCommand.class)).isEqualTo("Command");
  }

  @Test
  void classThatIsNotNamedAsACommandIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandType.of(CreateOrder.class))
        .withMessageContaining("got " + CreateOrder.class.getName())
        .withMessageContaining("rename it, or register its handler with on(type, class, handler)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandType.of(Command.class))
        .withMessageContaining("named by its type and 'Command'");
  }

  @Test
  void classWhoseNameMakesNoTypeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandType.of(Do$ItCommand.class))
        .withMessageContaining("got '$' (U+0024) after 'Do'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "Z", "CreateOrder", "orders.create_order-2", "a.", "b9"})
  void goodTypesAreReturned(String type) {
    assertThat(CommandType.check(type)).isEqualTo(type);
  }

  @Test
  void lengthIsOneToOneHundredAndTwenty() {
    assertThat(CommandType.check("x".repeat(120))).hasSize(120);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandType.check("x".repeat(121)))
        .withMessage("a command type must have 1 to 120 characters, got 121");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandType.check(""))
        .withMessage("a command type must have 1 to 120 characters, got 0");
  }

  @ParameterizedTest
  @CsvSource({
    "Create Order, ''' '' (U+0020) after ''Create'''",
    "Create/Order, '''/'' (U+002F) after ''Create'''",
    "ab:c, ''':'' (U+003A) after ''ab'''",
    "$x, '''$'' (U+0024) after '''''",
    "Größe, 'U+00F6 after ''Gr'''"
  })
  void oddCharacterIsNamed(String type, String said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandType.check(type))
        .withMessage("a command type may have letters, digits, '.', '_' and '-' only, got " + said);
  }

  @Test
  void controlCharacterIsNamedAndNotRepeated() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandType.check("Create\nOrder"))
        .withMessageEndingWith("got U+000A after 'Create'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1Create", ".create", "_x", "-"})
  void firstCharacterIsALetter(String type) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandType.check(type))
        .withMessage(
            "a command type must begin with a letter (A-Z, a-z), got '%s' in '%s'",
            type.charAt(0), type);
  }
}
