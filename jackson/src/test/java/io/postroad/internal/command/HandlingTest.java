package io.postroad.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandContext;
import io.postroad.command.DomainCommand;
import io.postroad.command.FailureCode;
import io.postroad.command.Registries;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodecException;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From the payload through the handler to the data of the reply. */
class HandlingTest {
  record CreatePaymentCommand(String account, BigDecimal amount) implements DomainCommand {
    CreatePaymentCommand {
      if (amount == null || amount.signum() <= 0) {
        throw new IllegalArgumentException("amount must be positive");
      }
    }
  }

  record FailCommand() implements DomainCommand {}

  record Payment(String paymentId, String status, BigDecimal amount) {}

  static class PaymentService {
    public Payment createPayment(CreatePaymentCommand command) {
      return new Payment("p-" + command.account(), "SUBMITTED", command.amount());
    }
  }

  private final AutoCommandHandlerRegistry<String> payments = Registries.of(new PaymentService());

  @Test
  void resultOfTheHandlerIsTheDataOfTheReply() throws Exception {
    Map<String, Object> data =
        payments.handle(
            Registries.context("CreatePayment"),
            "{\"account\":\"7\",\"amount\":100.00,\"addedLater\":true}");

    assertThat(data)
        .containsExactly(
            Map.entry("paymentId", "p-7"),
            Map.entry("status", "SUBMITTED"),
            Map.entry("amount", new BigDecimal("100.00")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "null", "no JSON", "[]", "{\"account\":{}}", "{\"amount\":\"secret\"}"})
  void payloadThatDoesNotFitIsInvalid(String payload) {
    CommandFailure failure = failure(payments, "CreatePayment", payload);

    assertThat(failure.code()).isEqualTo(FailureCode.INVALID);
    assertThat(failure).hasCauseInstanceOf(JsonCodecException.class);
    assertThat(FailureText.of(failure, 500))
        .startsWith("JsonCodecException: cannot read JSON as a ")
        .contains("HandlingTest$CreatePaymentCommand")
        .doesNotContain("secret");
  }

  @Test
  void aRefusalOfTheConstructorIsInvalidWithItsText() {
    CommandFailure failure = failure(payments, "CreatePayment", "{\"amount\":-1}");

    assertThat(failure.code()).isEqualTo(FailureCode.INVALID);
    assertThat(FailureText.of(failure, 500))
        .isEqualTo("IllegalArgumentException: amount must be positive");
  }

  @Test
  void anUnknownFieldIsInvalidForAStrictCodec() {
    AutoCommandHandlerRegistry<String> strict =
        AutoCommandHandlerRegistry.<String>builder(
                JacksonJsonCodec.create().refusingUnknownFields())
            .bean(new PaymentService())
            .build();

    CommandFailure failure =
        failure(strict, "CreatePayment", "{\"account\":\"7\",\"amount\":1,\"secret\":1}");

    assertThat(failure.code()).isEqualTo(FailureCode.INVALID);
    assertThat(FailureText.of(failure, 500)).contains("has [account, amount] only");
  }

  @Test
  void typeWithoutAHandlerIsUnknown() {
    CommandFailure failure = failure(payments, "BookFx", "{}");

    assertThat(failure.code()).isEqualTo(FailureCode.UNKNOWN_TYPE);
    assertThat(FailureText.of(failure, 500))
        .startsWith(
            "IllegalArgumentException: Unknown command type: BookFx; registered: [CreatePayment];"
                + " ");
  }

  static class Throwing {
    private final Throwable thrown;

    Throwing(Throwable thrown) {
      this.thrown = thrown;
    }

    public void fail(FailCommand command) throws Throwable {
      throw thrown;
    }
  }

  @Test
  void anExceptionOfTheHandlerIsThrownUnchanged() {
    for (Throwable thrown :
        List.of(
            new IllegalStateException("unchecked"),
            new IOException("checked"),
            new AssertionError("error"))) {
      AutoCommandHandlerRegistry<String> registry = Registries.of(new Throwing(thrown));

      assertThat(catchThrowable(() -> Registries.handle(registry, "Fail", "{}"))).isSameAs(thrown);
    }
  }

  @Test
  void anExplicitHandlerHasTheContext() throws Exception {
    CommandContext<String> context = Registries.context("Fail");
    AutoCommandHandlerRegistry<String> registry =
        Registries.builder()
            .on(
                FailCommand.class,
                (command, given) -> List.of(given.equals(context), given.transaction()))
            .build();

    assertThat(registry.handle(context, "{}")).containsEntry("value", List.of(true, "transaction"));
  }

  static final class Opaque {}

  @Test
  void aResultThatIsNotJsonIsUnwritable() {
    CommandFailure failure = failure(answering(new Opaque()), "Fail", "{}");

    assertThat(failure.code()).isEqualTo(FailureCode.UNWRITABLE_RESULT);
    assertThat(FailureText.of(failure, 500))
        .startsWith("JsonCodecException: cannot write a ")
        .contains("HandlingTest$Opaque");
  }

  @Test
  void aFutureThatAppearsOnlyAtRunTimeIsUnwritable() {
    CommandFailure failure =
        failure(answering(CompletableFuture.completedFuture("x")), "Fail", "{}");

    assertThat(failure.code()).isEqualTo(FailureCode.UNWRITABLE_RESULT);
    assertThat(FailureText.of(failure, 500))
        .startsWith("IllegalStateException: the handler returns a CompletableFuture, whose work");
  }

  @Test
  void aFailureOfTheHandlerIsNotTakenForAnInvalidPayload() {
    AutoCommandHandlerRegistry<String> registry =
        Registries.of(new Throwing(new JsonCodecException("of the handler", new IOException())));

    assertThatThrownBy(() -> Registries.handle(registry, "Fail", "{}"))
        .isInstanceOf(JsonCodecException.class);
  }

  private static AutoCommandHandlerRegistry<String> answering(@Nullable Object result) {
    return Registries.builder().on(FailCommand.class, (command, context) -> result).build();
  }

  private static CommandFailure failure(
      AutoCommandHandlerRegistry<String> registry, String type, String payload) {
    return catchThrowableOfType(
        CommandFailure.class, () -> Registries.handle(registry, type, payload));
  }
}
