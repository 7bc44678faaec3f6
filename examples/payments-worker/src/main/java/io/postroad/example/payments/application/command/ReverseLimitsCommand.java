package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import java.util.UUID;

/** Releases the limit of a booking, if it uses one. */
public record ReverseLimitsCommand(UUID bookingId) implements DomainCommand {
  public ReverseLimitsCommand {
    Check.required("bookingId", bookingId);
  }
}
