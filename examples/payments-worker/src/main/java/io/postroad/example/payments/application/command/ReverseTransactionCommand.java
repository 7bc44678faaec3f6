package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import java.util.UUID;

/** Reverses the transaction of a booking, if there is one. */
public record ReverseTransactionCommand(UUID accountId, UUID bookingId) implements DomainCommand {
  public ReverseTransactionCommand {
    Check.required("accountId", accountId);
    Check.required("bookingId", bookingId);
  }
}
