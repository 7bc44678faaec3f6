package io.postroad.example.payments.orchestration;

import io.postroad.example.payments.application.command.BookFxCommand;
import io.postroad.example.payments.application.command.BookLimitsCommand;
import io.postroad.example.payments.application.command.CreatePaymentCommand;
import io.postroad.example.payments.application.command.CreateTransactionCommand;
import io.postroad.example.payments.application.command.ReverseLimitsCommand;
import io.postroad.example.payments.application.command.ReverseTransactionCommand;
import io.postroad.example.payments.application.command.UnwindFxCommand;
import io.postroad.example.payments.domain.model.TransactionType;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StartData;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A payment: books limits, buys currency if needed, debits the account and submits the payment. A
 * failure undoes the steps, the last one first. All steps have the payment's id as their booking
 * id, so that an undo finds exactly the work of its step. A submitted payment is never undone, even
 * if it is cancelled at that moment.
 */
@Singleton
public class SimplePaymentProcessDefinition implements ProcessConfiguration {
  public static final String TYPE = "SimplePayment";

  @Override
  public String getProcessType() {
    return TYPE;
  }

  @Override
  public Optional<StartData> startData() {
    return Optional.of(StartData.of(PaymentRequest.class));
  }

  @Override
  public ProcessGraph defineProcess() {
    return process()
        .startWith(BookLimitsCommand.class)
        .withInput(SimplePaymentProcessDefinition::debit)
        .withCompensation(ReverseLimitsCommand.class)
        .thenIf("requiresFx", data -> Boolean.TRUE.equals(data.get("requiresFx")))
        .whenTrue(BookFxCommand.class)
        .withInput(SimplePaymentProcessDefinition::conversion)
        .withCompensation(UnwindFxCommand.class)
        .then(CreateTransactionCommand.class)
        .withInput(SimplePaymentProcessDefinition::debit)
        .withCompensation(ReverseTransactionCommand.class)
        .then(CreatePaymentCommand.class)
        .pointOfNoReturn()
        .end();
  }

  private static Map<String, Object> debit(Map<String, Object> data) {
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("accountId", data.get("debitAccountId"));
    input.put("bookingId", data.get("paymentId"));
    input.put("transactionType", TransactionType.DEBIT.name());
    input.put("amount", data.get("debitAmount"));
    input.put("description", data.get("description"));
    return input;
  }

  private static Map<String, Object> conversion(Map<String, Object> data) {
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("bookingId", data.get("paymentId"));
    input.put("sellAmount", data.get("debitAmount"));
    input.put("buyAmount", data.get("creditAmount"));
    input.put("valueDate", data.get("valueDate"));
    return input;
  }

  /** Returns whether an error may be temporary. Refusals of the business rules are final. */
  @Override
  public boolean isRetryable(String step, String error) {
    return error != null
        && !error.contains("InsufficientFunds")
        && !error.contains("LimitExceeded")
        && !error.contains("InvalidBeneficiary")
        && (error.contains("timeout")
            || error.contains("connection")
            || error.contains("temporary")
            || error.contains("deadlock"));
  }

  @Override
  public int getMaxRetries(String step) {
    return 3;
  }

  /** Waits 1 s, 2 s and 4 s. */
  @Override
  public long getRetryDelay(String step, int attempt) {
    return 1000L << attempt;
  }
}
