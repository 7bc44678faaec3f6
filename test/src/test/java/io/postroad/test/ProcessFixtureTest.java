package io.postroad.test;

import static io.postroad.process.ProcessStatus.COMPENSATED;
import static io.postroad.process.ProcessStatus.COMPENSATING;
import static io.postroad.process.ProcessStatus.FAILED;
import static io.postroad.process.ProcessStatus.RUNNING;
import static io.postroad.process.ProcessStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.command.FailureCode;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.process.FailureKind;
import io.postroad.process.ProcessOptions;
import io.postroad.process.StepRetry;
import io.postroad.test.PaymentProcesses.BookFxCommand;
import io.postroad.test.PaymentProcesses.BookLimitsCommand;
import io.postroad.test.PaymentProcesses.LoanProcess;
import io.postroad.test.PaymentProcesses.SimplePaymentProcessDefinition;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Checks the behaviour of the fixture, and its errors for wrong expectations. */
class ProcessFixtureTest {
  private static final JsonCodec CODEC = JacksonJsonCodec.create();
  private static final Map<String, Object> PAYMENT =
      Map.of("customerId", "c-1", "amount", 100, "requiresFx", true);

  private final ProcessFixture payment =
      ProcessFixture.of(new SimplePaymentProcessDefinition(), CODEC);

  /** Paid out by another service. */
  private final ProcessFixture loan =
      ProcessFixture.builder(new LoanProcess(), CODEC)
          .handledByOthers("PayOut", "TakeBack")
          .options(
              ProcessOptions.defaults()
                  .withUndoRetry(StepRetry.of(1, Duration.ofSeconds(1), Duration.ofSeconds(1))))
          .startingAt(Instant.parse("2026-03-01T00:00:00Z"))
          .build();

  @Test
  void aPaymentSucceedsStepByStep() {
    payment
        .given("payment-1", PAYMENT)
        .thenStatus(RUNNING)
        .thenCommands(new BookLimitsCommand("c-1", new BigDecimal(100)));
    payment
        .whenCompleted("BookLimits", Map.of("limitId", "l-7"))
        .thenCommands(new BookFxCommand(new BigDecimal(100), Optional.empty()))
        .thenLog("StepCompleted BookLimits", "ConditionEvaluated if-1", "StepStarted BookFx");
    payment
        .whenCompleted("BookFx", Map.of("fxContractId", "fx-1"))
        .thenCommand("CreateTransaction", Map.of("limitId", "l-7"));
    payment
        .whenCompleted("CreateTransaction", Map.of("transactionId", "t-1"))
        .thenCommands("CreatePayment")
        .thenData(Map.of("amount", 100, "limitId", "l-7", "transactionId", "t-1"));
    payment.whenCompleted("CreatePayment").thenNoCommands().thenStatus(SUCCEEDED).thenCompensated();
    assertThat(payment.log()).startsWith("ProcessStarted").endsWith("ProcessCompleted");
    assertThat(payment.openCommands()).isEmpty();
  }

  @Test
  void aFailedStepHasTheOnesBeforeItUndone() {
    payment.given(PAYMENT).whenCompleted("BookLimits", Map.of("limitId", "l-7"));
    payment.whenCompleted("BookFx", Map.of("fxContractId", "fx-1"));

    payment
        .whenFailed("CreateTransaction", "AccountException: closed", FailureCode.BUSINESS)
        .thenStatus(COMPENSATING)
        .thenFailure(FailureKind.STEP_FAILED)
        .thenCommand("UnwindFx", Map.of("fxContractId", "fx-1"));
    payment.whenCompleted("UnwindFx").thenCommand("ReverseLimits", Map.of("limitId", "l-7"));
    payment
        .whenCompleted("ReverseLimits")
        .thenStatus(COMPENSATED)
        .thenCompensated("BookFx", "BookLimits");
  }

  @Test
  void whatMayWorkLaterIsTriedAgainWhenItIsTime() {
    payment.given(PAYMENT).whenFailed("BookLimits", "SQLException: connection lost");
    payment.thenLog("StepFailed BookLimits", "RetryScheduled BookLimits").thenStatus(RUNNING);

    fails(
        () -> payment.whenCompleted("BookLimits"),
        "BookLimits (attempt 2) (not before 2026-01-01T00:00:01Z)",
        "has not begun yet");
    payment.whenTimePasses(Duration.ofSeconds(1)).thenNothing();
    payment.whenCompleted("BookLimits", Map.of("limitId", "l-7")).thenCommands("BookFx");
  }

  @Test
  void aLoanIsCollectedHalfAYearLater() {
    loan.given(Map.of("account", "a-1")).whenCompleted("PayOut").thenNoCommands();
    loan.whenTimePasses(Duration.ofDays(179)).thenNothing();
    loan.whenTimePasses(Duration.ofDays(1))
        .thenLog("WaitCompleted term", "SignalAwaited await-statement");
    loan.whenSignalled("statement", Map.of("balance", 990))
        .thenCommands("Collect", "Collect")
        .thenData(Map.of("balance", 990));
    fails(() -> loan.whenCompleted("Collect"), "several commands 'Collect' are open");
    loan.whenCompleted("Interest").thenNoCommands();
    loan.whenCompleted("Principal").thenCommand("Remind", Map.of("businessKey", "process-1"));
    loan.whenAllCompleted().thenStatus(SUCCEEDED);
    assertThat(loan.now()).isEqualTo("2026-08-28T00:00:00Z");
  }

  @Test
  void timePassesAsItDoesWhereANodeIsUp() {
    loan.given(Map.of("account", "a-1")).whenCompleted("PayOut");

    loan.whenTimePasses(Duration.ofDays(210))
        .thenLog("WaitCompleted term", "SignalTimedOut await-statement")
        .thenFailure(FailureKind.SIGNAL_TIMED_OUT)
        .thenCommands("TakeBack");
    loan.whenCompleted("TakeBack").thenStatus(COMPENSATED).thenCompensated("PayOut");
  }

  @Test
  void anOverdueWaitBeginsTheNextWaitNow() {
    loan.given(Map.of("account", "a-1")).whenCompleted("PayOut");

    loan.whenNoNodeRunsFor(Duration.ofDays(365)).thenStatus(RUNNING);
    loan.whenTimePasses(Duration.ofDays(29)).thenNothing();
    loan.whenTimePasses(Duration.ofDays(1)).thenFailure(FailureKind.SIGNAL_TIMED_OUT);
  }

  @Test
  void whatAnotherServiceMayHaveDoneIsUndone() {
    loan.given(Map.of("account", "a-1"));
    loan.whenTimedOut("PayOut").thenLog("StepTimedOut PayOut", "RetryScheduled PayOut");
    loan.whenTimedOut("PayOut").thenCommands("TakeBack").thenFailure(FailureKind.STEP_TIMED_OUT);
    loan.whenCompleted("TakeBack").thenStatus(COMPENSATED);
    assertThat(loan.now()).isEqualTo(Instant.parse("2026-03-01T00:11:00Z"));
    loan.whenCompletedLate("PayOut", Map.of())
        .thenLog("ProcessCompensated", "LateEffect PayOut")
        .thenCommands("TakeBack");
    loan.whenAllCompleted().thenStatus(COMPENSATED).thenCompensated("PayOut", "PayOut");
  }

  @Test
  void whatIsKnownNotToBeDoneIsNotUndone() {
    loan.given(Map.of("account", "a-1")).whenTimedOut("PayOut");
    loan.whenFailedLate("PayOut", "closed").thenLog("NotDone PayOut").thenNoCommands();
    loan.whenTimePasses(Duration.ofMinutes(1));
    loan.whenFailed("PayOut", "closed").thenNoCommands().thenStatus(FAILED);
  }

  @Test
  void whatTimedOutInTheQueueHereIsNeverDone() {
    ProcessFixture here = ProcessFixture.of(new LoanProcess(), CODEC);
    here.given(Map.of("account", "a-1")).whenTimedOut("PayOut").whenTimedOut("PayOut");

    here.thenNoCommands().thenStatus(FAILED).thenFailure(FailureKind.STEP_TIMED_OUT);
    fails(
        () -> here.whenCompletedLate("PayOut", Map.of()),
        "PayOut (attempt 2) (not before 2026-01-01T00:06:00Z) {account=a-1} was not begun",
        "handledByOthers(\"PayOut\")");
  }

  @Test
  void aSecondReplyChangesNothing() {
    payment.given(PAYMENT).whenCompleted("BookLimits", Map.of("limitId", "l-7"));

    payment.whenRepeated("BookLimits").thenNothing().thenNoCommands();
    payment.whenCompleted("BookFx").thenCommands("CreateTransaction");
  }

  @Test
  void anOperatorPausesResumesAndCancels() {
    payment.given(PAYMENT).whenPaused().thenLog("ProcessPaused");
    payment.whenCompleted("BookLimits", Map.of("limitId", "l-7")).thenNoCommands();
    payment.whenResumed().thenCommands("BookFx");
    payment
        .whenCancelled()
        .thenFailure(FailureKind.CANCELLED)
        .thenLog("StepRecalled BookFx")
        .thenCommands("ReverseLimits");
    assertThatThrownBy(payment::whenCancelled)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is being undone already");
    payment.whenTerminated().thenStatus(FAILED).thenFailure(FailureKind.TERMINATED);
  }

  @Test
  void anOperatorTriesAgainAndSkips() {
    loan.given(Map.of("account", "a-1")).whenCompleted("PayOut");
    loan.whenSkipped("term").thenLog("StepSkipped term", "SignalAwaited await-statement");
    loan.whenTimePasses(Duration.ofDays(30)).thenCommands("TakeBack");
    loan.whenFailed("TakeBack", "no").whenTimePasses(Duration.ofSeconds(1));
    loan.whenFailed("TakeBack", "no").thenStatus(FAILED);
    loan.thenFailure(FailureKind.COMPENSATION_FAILED).whenRetried().thenCommands("TakeBack");
    loan.whenCompleted("TakeBack").thenStatus(COMPENSATED);
  }

  @Test
  void whatIsExpectedWronglyIsShownWithTheProcessAsItIs() {
    payment.given(PAYMENT);

    fails(
        () -> payment.thenCommands("BookFx"),
        "expected the commands [BookFx], got [BookLimits {customerId=c-1, amount=100}]",
        "process SimplePayment 'process-1' is RUNNING at BookLimits",
        "open commands: [BookLimits",
        "StepStarted BookLimits");
    fails(payment::thenNoCommands, "expected the commands [], got [BookLimits");
    fails(
        () -> payment.thenCommands(new BookLimitsCommand("c-2", new BigDecimal(100))),
        "expected BookLimits {customerId=c-2, amount=100}, got BookLimits {customerId=c-1");
    fails(
        () -> payment.thenCommand("BookLimits", Map.of("amount", 99)),
        "expected BookLimits with {amount=99}, got BookLimits {customerId=c-1, amount=100}");
    fails(() -> payment.thenStatus(SUCCEEDED), "expected SUCCEEDED, got RUNNING");
    fails(() -> payment.thenFailure(FailureKind.DEADLINE), "the failure DEADLINE, got none");
    fails(() -> payment.thenData(Map.of("amount", 99)), "expected data with {amount=99}, got {");
    fails(() -> payment.thenCompensated("BookFx"), "expected that [BookFx] were undone, got []");
    fails(() -> payment.thenLog("StepStarted BookFx"), "'StepStarted BookFx' is not there");
    fails(
        () -> payment.thenLog("StepStarted BookLimits", "ProcessStarted"),
        "in this order; 'ProcessStarted' is not there");
    fails(payment::thenNothing, "expected that nothing happens, but [ProcessStarted,");
    fails(() -> payment.whenCompleted("BookFx"), "no command 'BookFx' is open");
    fails(() -> payment.whenTimedOut("BookLimits"), "has no timeout");
    fails(() -> payment.whenRepeated("BookLimits"), "no reply came to a command 'BookLimits'");
    fails(() -> payment.whenCompletedLate("BookLimits", Map.of()), "has timed out lately");
    payment.whenCompleted("BookLimits").thenCommands("BookFx");
  }

  @Test
  void aFixtureHasOneProcessThatWasGiven() {
    assertThatThrownBy(() -> payment.whenCompleted("BookLimits"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("call given(..) first");
    payment.given(PAYMENT);
    assertThatThrownBy(() -> payment.given(PAYMENT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("use one fixture for each");
    assertThatThrownBy(
            () ->
                ProcessFixture.builder(new LoanProcess(), CODEC).handledByOthers("Payout").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "process 'Loan' sends [Collect, PayOut, Remind, TakeBack]; it was told that others"
                + " handle [Payout]");
  }

  private static void fails(ThrowingCallable what, String... parts) {
    assertThatThrownBy(what)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessageContainingAll(parts);
  }
}
