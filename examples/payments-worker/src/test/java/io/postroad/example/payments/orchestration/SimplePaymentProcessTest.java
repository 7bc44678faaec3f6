package io.postroad.example.payments.orchestration;

import static io.postroad.process.ProcessStatus.COMPENSATED;
import static io.postroad.process.ProcessStatus.COMPENSATING;
import static io.postroad.process.ProcessStatus.FAILED;
import static io.postroad.process.ProcessStatus.RUNNING;
import static io.postroad.process.ProcessStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.postroad.example.payments.domain.model.Beneficiary;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.test.ProcessFixture;
import io.postroad.test.model.ModelCheck;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The payment as a graph, without handlers and database. */
class SimplePaymentProcessTest {
  private final SimplePaymentProcessDefinition definition = new SimplePaymentProcessDefinition();
  private final UUID paymentId = UUID.randomUUID();
  private final UUID accountId = UUID.randomUUID();

  private ProcessFixture started(boolean requiresFx) {
    ProcessFixture process = ProcessFixture.of(definition, JacksonJsonCodec.create());
    process.given(paymentId.toString(), data(requiresFx));
    return process;
  }

  private Map<String, Object> data(boolean requiresFx) {
    return new PaymentRequest(
            paymentId,
            accountId,
            Money.of(100, "EUR"),
            requiresFx ? Money.of(125, "USD") : Money.of(100, "EUR"),
            requiresFx,
            LocalDate.of(2026, 11, 30),
            new Beneficiary("Ada", "DE1", "002"),
            "Rent")
        .data();
  }

  @Test
  void shouldDefineCorrectProcessFlow() {
    ProcessConfiguration config = new SimplePaymentProcessDefinition();
    ProcessGraph graph = config.defineProcess();

    // Verify initial step
    assertEquals("BookLimits", graph.getInitialStep());

    // Verify next steps
    Optional<String> nextStep = graph.getNextStep("BookLimits", Map.of("requiresFx", true));
    assertTrue(nextStep.isPresent());
    assertEquals("BookFx", nextStep.get());
    assertEquals(
        Optional.of("CreateTransaction"),
        graph.getNextStep("BookLimits", Map.of("requiresFx", false)));

    // Verify compensation
    assertTrue(graph.requiresCompensation("BookLimits"));
    assertEquals("ReverseLimits", graph.getCompensationStep("BookLimits").get());
    assertEquals("UnwindFx", graph.getCompensationStep("BookFx").get());
    assertEquals("ReverseTransaction", graph.getCompensationStep("CreateTransaction").get());
    assertThat(graph.requiresCompensation("CreatePayment")).isFalse();
  }

  @Test
  void theBookingIdOfEveryStepIsThePayment() {
    ProcessFixture process = started(true);
    process.thenCommand("BookLimits", Map.of("bookingId", paymentId.toString()));
    process
        .whenCompleted("BookLimits", Map.of("limitBookedAmount", 100))
        .thenCommand("BookFx", Map.of("bookingId", paymentId.toString()));
    process
        .whenCompleted("BookFx", Map.of("fxContractId", UUID.randomUUID().toString()))
        .thenCommand(
            "CreateTransaction",
            Map.of("bookingId", paymentId.toString(), "accountId", accountId.toString()));
    process.whenCompleted("CreateTransaction").thenCommands("CreatePayment");
    process.whenCompleted("CreatePayment").thenStatus(SUCCEEDED);
  }

  @Test
  void stepsAreUndoneInReverseOrder() {
    ProcessFixture process = started(true);
    process.whenCompleted("BookLimits");
    process.whenCompleted("BookFx", Map.of("fxContractId", UUID.randomUUID().toString()));
    process.whenCompleted("CreateTransaction");
    process
        .whenFailed("CreatePayment", "InvalidBeneficiaryException: nobody")
        .thenCommand(
            "ReverseTransaction",
            Map.of("bookingId", paymentId.toString(), "accountId", accountId.toString()));
    process
        .whenCompleted("ReverseTransaction")
        .thenCommand("UnwindFx", Map.of("bookingId", paymentId.toString()));
    process
        .whenCompleted("UnwindFx")
        .thenCommand("ReverseLimits", Map.of("bookingId", paymentId.toString()));
    process.whenCompleted("ReverseLimits").thenStatus(COMPENSATED);
  }

  /** The process is cancelled while the command or the reply of the last step is in transit. */
  @Test
  void aSubmittedPaymentIsNotUndone() {
    ProcessFixture process =
        ProcessFixture.builder(definition, JacksonJsonCodec.create())
            .handledByOthers("CreatePayment")
            .build();
    process.given(paymentId.toString(), data(false));
    process.whenCompleted("BookLimits");
    process.whenCompleted("CreateTransaction");
    process.whenCancelled().thenStatus(COMPENSATING);
    process.whenCompleted("CreatePayment").thenNoCommands().thenStatus(FAILED);
  }

  @Test
  void aStepWithoutEffectIsNotUndone() {
    ProcessFixture process = started(false);
    process
        .whenFailed("BookLimits", "LimitExceededException: no room")
        .thenNoCommands()
        .thenStatus(FAILED);
  }

  @Test
  void temporaryErrorsAreRetriedAfterOneTwoAndFourSeconds() {
    ProcessFixture process = started(false);
    for (int seconds : new int[] {1, 2, 4}) {
      process.whenFailed("BookLimits", "SQLException: connection lost").thenStatus(RUNNING);
      process.whenTimePasses(Duration.ofSeconds(seconds));
    }
    process.whenFailed("BookLimits", "SQLException: connection lost").thenStatus(FAILED);
  }

  @Test
  void refusalsOfBusinessRulesAreNotRetried() {
    assertThat(definition.isRetryable("BookLimits", "LimitExceededException: timeout")).isFalse();
    assertThat(
            definition.isRetryable("CreateTransaction", "InsufficientFundsException: connection"))
        .isFalse();
    assertThat(definition.isRetryable("CreateTransaction", "SQLException: deadlock")).isTrue();
    assertThat(definition.isRetryable("CreateTransaction", "NullPointerException")).isFalse();
  }

  @Test
  void aStartWithoutABeneficiaryIsRefused() {
    Map<String, Object> incomplete = new HashMap<>(data(false));
    incomplete.remove("beneficiary");
    ProcessFixture process = ProcessFixture.of(definition, JacksonJsonCodec.create());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> process.given("p", incomplete))
        .withMessageContaining("beneficiary");
  }

  @Test
  void theProcessEndsInEveryCaseAndUndoesItsSteps() {
    ModelCheck.of(definition, 0);
  }
}
