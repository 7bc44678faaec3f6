package io.postroad.example.payments.orchestration;

import io.postroad.example.payments.domain.model.Beneficiary;
import io.postroad.example.payments.domain.model.Money;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The start data of a payment.
 *
 * @param paymentId also the booking id of all its steps
 * @param requiresFx whether its currencies differ
 */
public record PaymentRequest(
    UUID paymentId,
    UUID debitAccountId,
    Money debitAmount,
    Money creditAmount,
    boolean requiresFx,
    LocalDate valueDate,
    Beneficiary beneficiary,
    String description) {

  /** Returns the start data as a map. */
  public Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("paymentId", paymentId);
    data.put("debitAccountId", debitAccountId);
    data.put("debitAmount", debitAmount);
    data.put("creditAmount", creditAmount);
    data.put("requiresFx", requiresFx);
    data.put("valueDate", valueDate);
    data.put("beneficiary", beneficiary);
    data.put("description", description);
    return data;
  }
}
