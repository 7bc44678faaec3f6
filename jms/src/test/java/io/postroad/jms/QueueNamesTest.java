package io.postroad.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class QueueNamesTest {
  private final QueueNames names = new QueueNames("APP.CMD", "Q");

  @Test
  void typesAreInUpperCaseAndWithoutCommand() {
    assertThat(names.of("CreateOrder")).isEqualTo("APP.CMD.CREATEORDER.Q");
    assertThat(names.of("CreateOrderCommand")).isEqualTo("APP.CMD.CREATEORDER.Q");
    assertThat(names.of("Command")).isEqualTo("APP.CMD.COMMAND.Q");
    assertThat(names.reply()).isEqualTo("APP.CMD.REPLY.Q");
  }

  @Test
  void fortyEightCharactersAreAllowedAndNoMore() {
    String longest = "T".repeat(48 - "APP.CMD..Q".length());
    assertThat(names.of(longest)).hasSize(48);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> names.of(longest + "T"))
        .withMessageContainingAll("has 49 characters", "IBM MQ allows 48", "shorter prefix");
  }

  @Test
  void charactersThatIbmMqRefusesAreRefused() {
    assertThat(QueueNames.checked("a/B_9%.x")).isEqualTo("a/B_9%.x");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> names.of("Create-Order"))
        .withMessageContainingAll("'-'", "position 15", ". / _ %");
    assertThatIllegalArgumentException().isThrownBy(() -> QueueNames.checked("GRÖSSE"));
    assertThatIllegalArgumentException().isThrownBy(() -> new QueueNames("", "Q"));
  }

  @Test
  void aFoldedCommaListIsTrimmed() {
    assertThat(QueueNames.parse("APP.CMD.A.Q, APP.CMD.B.Q,\n  APP.CMD.REPLY.Q ,  APP.CMD.A.Q, \n"))
        .containsExactly("APP.CMD.A.Q", "APP.CMD.B.Q", "APP.CMD.REPLY.Q");
    assertThat(QueueNames.parse(" ")).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> QueueNames.parse("A B"));
  }
}
