package io.postroad.example.market.deal;

/** Thrown when the status of a deal does not allow a change; nothing was changed. */
public final class DealStateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  DealStateException(Deal deal, String what) {
    this(deal.id(), "is %s: it cannot be %s".formatted(deal.status(), what));
  }

  private DealStateException(String dealId, String reason) {
    super("deal %s %s".formatted(dealId, reason));
    this.reason = reason;
  }

  public String getReason() {
    return reason;
  }
}
