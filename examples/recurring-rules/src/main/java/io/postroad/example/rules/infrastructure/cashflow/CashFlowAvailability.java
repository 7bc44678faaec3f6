package io.postroad.example.rules.infrastructure.cashflow;

import org.springframework.stereotype.Component;

/** A switch that makes the cash flow service unavailable, to try the consequences. */
@Component
public class CashFlowAvailability {
  private volatile boolean available = true;

  public boolean isAvailable() {
    return available;
  }

  public void setAvailable(boolean now) {
    available = now;
  }
}
