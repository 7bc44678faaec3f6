package io.postroad.example.rules.infrastructure.cashflow;

import org.springframework.stereotype.Component;

/** Whether the cash flow service answers: a switch, to see what happens when it does not. */
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
