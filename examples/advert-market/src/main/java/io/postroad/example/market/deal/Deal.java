package io.postroad.example.market.deal;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A deal: an advertiser pays a channel for showing an advert. Immutable; each change returns the
 * next version.
 *
 * <pre>
 * CREATED --fund--> FUNDED --complete--> COMPLETED
 *    |                 |
 *    +-----cancel------+---------------> CANCELLED
 * </pre>
 *
 * @param version 1 for a new deal, one more with each change
 * @param cancelReason the reason of a cancelled deal; null otherwise
 */
public record Deal(
    String id,
    String advertiserId,
    String channelId,
    BigDecimal price,
    String currency,
    DealStatus status,
    int version,
    @Nullable String cancelReason) {
  private static final int MAX_PARTY = 64;
  private static final int MAX_REASON = 500;

  /**
   * Creates a deal.
   *
   * @throws InvalidDealException for the first field that is invalid
   */
  public static Deal create(
      @Nullable String id,
      @Nullable String advertiserId,
      @Nullable String channelId,
      @Nullable BigDecimal price,
      @Nullable String currency) {
    return new Deal(
        Checked.id("dealId", id),
        Checked.text("advertiserId", advertiserId, MAX_PARTY),
        Checked.text("channelId", channelId, MAX_PARTY),
        Checked.money("price", price),
        Checked.currency("currency", currency),
        DealStatus.CREATED,
        1,
        null);
  }

  /**
   * Returns a valid id.
   *
   * @throws InvalidDealException if the id is invalid
   */
  public static String checkedId(String id) {
    return Checked.id("dealId", id);
  }

  /**
   * Records the payment of the advertiser.
   *
   * @throws InvalidDealException if the amount is not the price
   * @throws DealStateException unless the deal is CREATED
   */
  public Deal fund(@Nullable BigDecimal amount) {
    BigDecimal paid = Checked.money("amount", amount);
    if (status != DealStatus.CREATED) {
      throw new DealStateException(this, "funded");
    }
    if (paid.compareTo(price) != 0) {
      throw new InvalidDealException("amount", "must be the price, %s".formatted(price));
    }
    return next(DealStatus.FUNDED, null);
  }

  /**
   * Records that the advert was shown.
   *
   * @throws DealStateException unless the deal is FUNDED
   */
  public Deal complete() {
    if (status != DealStatus.FUNDED) {
      throw new DealStateException(this, "completed");
    }
    return next(DealStatus.COMPLETED, null);
  }

  /**
   * Cancels the deal.
   *
   * @throws InvalidDealException without a reason
   * @throws DealStateException if the deal has ended
   */
  public Deal cancel(@Nullable String reason) {
    String why = Checked.text("reason", reason, MAX_REASON);
    if (status != DealStatus.CREATED && status != DealStatus.FUNDED) {
      throw new DealStateException(this, "cancelled");
    }
    return next(DealStatus.CANCELLED, why);
  }

  private Deal next(DealStatus newStatus, @Nullable String reason) {
    return new Deal(id, advertiserId, channelId, price, currency, newStatus, version + 1, reason);
  }
}
