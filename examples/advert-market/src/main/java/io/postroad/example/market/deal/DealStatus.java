package io.postroad.example.market.deal;

/** Of a deal. */
public enum DealStatus {
  /** Agreed on; nobody has paid. */
  CREATED,
  /** The advertiser's money is held until the advert was shown. */
  FUNDED,
  /** The advert was shown and the channel is paid: the end. */
  COMPLETED,
  /** Called off, and money that was held goes back: the end. */
  CANCELLED
}
