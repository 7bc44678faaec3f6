package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import io.postroad.example.payments.domain.model.Beneficiary;
import io.postroad.example.payments.domain.model.Money;
import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;

/** Submits a payment. */
public record CreatePaymentCommand(
    UUID paymentId,
    UUID debitAccountId,
    Money debitAmount,
    Money creditAmount,
    LocalDate valueDate,
    Beneficiary beneficiary,
    Optional<UUID> fxContractId)
    implements DomainCommand {
  public CreatePaymentCommand {
    Check.required("paymentId", paymentId);
    Check.required("debitAccountId", debitAccountId);
    Check.positive("debitAmount", debitAmount);
    Check.positive("creditAmount", creditAmount);
    Check.required("valueDate", valueDate);
    Check.required("beneficiary", beneficiary);
    fxContractId = fxContractId == null ? Optional.empty() : fxContractId;
  }
}
