package io.postroad.example.market.deal;

/** The status of a deal. */
public enum DealStatus {
  /** Agreed, not paid. */
  CREATED,
  /** Paid by the advertiser; the money is kept until the advert was shown. */
  FUNDED,
  /** Ended: the advert was shown and the channel is paid. */
  COMPLETED,
  /** Ended: cancelled, and the money goes back. */
  CANCELLED
}
