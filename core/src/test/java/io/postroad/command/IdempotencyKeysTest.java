package io.postroad.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeysTest {

  @Test
  void patternsAreThoseOfTheGuide() {
    UUID process = new UUID(0, 7);

    assertThat(IdempotencyKeys.processStep("process-123", "CreateOrder"))
        .isEqualTo("process-123:CreateOrder");
    assertThat(IdempotencyKeys.processStep(process, "BookFx")).isEqualTo(process + ":BookFx");
    assertThat(IdempotencyKeys.request("request-1")).isEqualTo("request-1");
    assertThat(IdempotencyKeys.message("message-1", "billing")).isEqualTo("message-1:billing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "\t"})
  void blankPartIsRefusedByName(String blank) {
    assertRefused(() -> IdempotencyKeys.processStep(blank, "step"), "the process id of");
    assertRefused(() -> IdempotencyKeys.processStep("process", blank), "the step of");
    assertRefused(() -> IdempotencyKeys.request(blank), "the request id of");
    assertRefused(() -> IdempotencyKeys.message(blank, "handler"), "the message id of");
    assertRefused(() -> IdempotencyKeys.message("message", blank), "the handler of");
  }

  @Test
  void lengthIsOneToTwoHundredAndFiftyFive() {
    assertThat(IdempotencyKeys.check("k".repeat(255))).hasSize(255);
    assertRefused(
        () -> IdempotencyKeys.check("k".repeat(256)), "must have 1 to 255 characters and not");
    assertRefused(() -> IdempotencyKeys.check("k".repeat(256)), "got 256");
    assertRefused(() -> IdempotencyKeys.check(""), "got 0");
    assertRefused(() -> IdempotencyKeys.check("   "), "got 3, all blank");
  }

  @Test
  void keyThatGetsTooLongByItsPartsIsRefused() {
    assertThat(IdempotencyKeys.message("m".repeat(247), "billing")).hasSize(255);
    assertRefused(() -> IdempotencyKeys.message("m".repeat(248), "billing"), "got 256");
    assertRefused(() -> IdempotencyKeys.processStep("p".repeat(255), "x"), "got 257");
    assertRefused(() -> IdempotencyKeys.request("r".repeat(256)), "got 256");
  }

  @Test
  void charactersThatCannotBeStoredAreRefused() {
    assertRefused(() -> IdempotencyKeys.check("a\u0000b"), "control characters, got U+0000");
    assertRefused(() -> IdempotencyKeys.check("a\nb"), "control characters, got U+000A");
    assertRefused(() -> IdempotencyKeys.request("a\u007f"), "control characters, got U+007F");
    assertRefused(() -> IdempotencyKeys.check("a\uD83D"), "lone surrogates, got U+D83D");
    assertThat(IdempotencyKeys.check("größe \uD83D\uDE00 1")).startsWith("größe");
  }

  private static void assertRefused(ThrowingCallable call, String said) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(said);
  }
}
