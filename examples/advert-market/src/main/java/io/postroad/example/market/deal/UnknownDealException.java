package io.postroad.example.market.deal;

/** Thrown when no deal has this id; nothing was changed. */
public final class UnknownDealException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnknownDealException(String dealId) {
    super("no deal has id " + dealId);
  }
}
