package io.postroad.example.payments.infrastructure.web;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.postroad.example.payments.domain.model.Account;
import io.postroad.example.payments.domain.model.Beneficiary;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.Payment;
import io.postroad.example.payments.domain.repository.AccountRepository;
import io.postroad.example.payments.domain.repository.PaymentRepository;
import io.postroad.example.payments.orchestration.PaymentRequest;
import io.postroad.example.payments.orchestration.SimplePaymentProcessDefinition;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Starts and shows payments. */
@Controller("/payments")
@ExecuteOn(TaskExecutors.BLOCKING)
final class PaymentController {
  private final Processes processes;
  private final AccountRepository accounts;
  private final PaymentRepository payments;

  PaymentController(Processes processes, AccountRepository accounts, PaymentRepository payments) {
    this.processes = processes;
    this.accounts = accounts;
    this.payments = payments;
  }

  /** Starts the process that pays; the payment exists when the process has SUCCEEDED. */
  @Post
  HttpResponse<Map<String, Object>> pay(@Nullable @Body String body) {
    PaymentRequest request = request(Fields.of(body));
    requireAccount(request);
    UUID processId =
        processes.start(
            SimplePaymentProcessDefinition.TYPE,
            "paymentId",
            request.paymentId(),
            request.data(),
            () -> payments.findById(request.paymentId()).isPresent());
    return HttpResponse.<Map<String, Object>>accepted(URI.create("/processes/" + processId))
        .body(Map.of("paymentId", request.paymentId(), "processId", processId));
  }

  private static PaymentRequest request(Fields fields) {
    Money debit = fields.money("debitAmount");
    Money credit = fields.money("creditAmount");
    boolean requiresFx = !debit.currencyCode().equals(credit.currencyCode());
    if (!requiresFx && !debit.equals(credit)) {
      throw ProblemException.invalid(
          "creditAmount", "must be the debitAmount where the currency is the same");
    }
    Fields beneficiary = fields.object("beneficiary");
    return new PaymentRequest(
        fields.idOrNew("paymentId"),
        fields.id("debitAccountId"),
        debit,
        credit,
        requiresFx,
        fields.date("valueDate"),
        new Beneficiary(
            beneficiary.text("name", Beneficiary.MAX_NAME),
            beneficiary.text("accountNumber", Beneficiary.MAX_ACCOUNT_NUMBER),
            beneficiary.text("transitNumber", Beneficiary.MAX_TRANSIT_NUMBER)),
        fields.has("description") ? fields.text("description", 200) : "Payment");
  }

  private void requireAccount(PaymentRequest request) {
    Account account =
        accounts
            .findById(request.debitAccountId())
            .orElseThrow(() -> ProblemException.unknown("debitAccountId", "is not known"));
    if (!account.getCurrencyCode().equals(request.debitAmount().currencyCode())) {
      throw ProblemException.invalid(
          "debitAmount.currencyCode", "must be that of the account, " + account.getCurrencyCode());
    }
  }

  @Get("/{paymentId}")
  Map<String, Object> show(String paymentId) {
    Payment payment =
        payments
            .findById(Fields.pathId("paymentId", paymentId))
            .orElseThrow(() -> ProblemException.unknown("paymentId", "is not known"));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("paymentId", payment.paymentId());
    answer.put("status", payment.status());
    answer.put("debitAccountId", payment.debitAccountId());
    answer.put("debitAmount", shown(payment.debitAmount()));
    answer.put("creditAmount", shown(payment.creditAmount()));
    answer.put("valueDate", payment.valueDate().toString());
    payment.fxContractId().ifPresent(id -> answer.put("fxContractId", id));
    return answer;
  }

  private static Map<String, Object> shown(Money money) {
    return Map.of("amount", money.amount(), "currencyCode", money.currencyCode());
  }
}
