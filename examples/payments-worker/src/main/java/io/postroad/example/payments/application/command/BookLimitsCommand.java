package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.TransactionType;
import java.util.UUID;

/**
 * Uses a part of a limit.
 *
 * @param bookingId the booking, which uses a limit at most once
 */
public record BookLimitsCommand(
    UUID accountId, UUID bookingId, TransactionType transactionType, Money amount)
    implements DomainCommand {
  public BookLimitsCommand {
    Check.required("accountId", accountId);
    Check.required("bookingId", bookingId);
    Check.required("transactionType", transactionType);
    Check.positive("amount", amount);
  }
}
