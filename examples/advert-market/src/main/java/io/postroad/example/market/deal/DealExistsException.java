package io.postroad.example.market.deal;

/** There is a deal with this id; nothing was changed. */
public final class DealExistsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DealExistsException(String dealId) {
    super("deal %s was created before".formatted(dealId));
  }
}
