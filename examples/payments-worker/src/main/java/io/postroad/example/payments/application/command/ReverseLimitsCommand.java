package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import java.util.UUID;

/** Releases what a booking uses of a limit, if it uses something. */
public record ReverseLimitsCommand(UUID bookingId) implements DomainCommand {
  public ReverseLimitsCommand {
    Check.required("bookingId", bookingId);
  }
}
