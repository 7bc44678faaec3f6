package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import java.util.UUID;

/** Unwinds the contract of a booking, if there is one. */
public record UnwindFxCommand(UUID bookingId) implements DomainCommand {
  public UnwindFxCommand {
    Check.required("bookingId", bookingId);
  }
}
