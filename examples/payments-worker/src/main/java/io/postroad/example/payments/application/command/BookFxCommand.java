package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import io.postroad.example.payments.domain.model.Money;
import java.time.LocalDate;
import java.util.UUID;

/**
 * Sells one currency for another.
 *
 * @param bookingId the booking, which has at most one contract
 */
public record BookFxCommand(UUID bookingId, Money sellAmount, Money buyAmount, LocalDate valueDate)
    implements DomainCommand {
  public BookFxCommand {
    Check.required("bookingId", bookingId);
    Check.positive("sellAmount", sellAmount);
    Check.positive("buyAmount", buyAmount);
    Check.required("valueDate", valueDate);
  }
}
