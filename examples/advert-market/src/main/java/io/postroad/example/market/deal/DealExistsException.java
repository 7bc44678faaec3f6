package io.postroad.example.market.deal;

/** Thrown when a deal with this id exists; nothing was changed. */
public final class DealExistsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DealExistsException(String dealId) {
    super("deal %s was created before".formatted(dealId));
  }
}
