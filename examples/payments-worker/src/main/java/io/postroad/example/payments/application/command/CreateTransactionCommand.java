package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.TransactionType;
import java.util.UUID;

/**
 * Moves money on an account.
 *
 * @param bookingId the booking, which has at most one transaction
 */
public record CreateTransactionCommand(
    UUID accountId,
    UUID bookingId,
    TransactionType transactionType,
    Money amount,
    String description)
    implements DomainCommand {
  public CreateTransactionCommand {
    Check.required("accountId", accountId);
    Check.required("bookingId", bookingId);
    Check.required("transactionType", transactionType);
    Check.positive("amount", amount);
    Check.required("description", description);
  }
}
