package io.postroad.example.market.deal;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * An advertiser pays a channel for showing an advert. Immutable: what is done to a deal makes the
 * next version of it.
 *
 * <pre>
 * CREATED --fund--> FUNDED --complete--> COMPLETED
 *    |                 |
 *    +-----cancel------+---------------> CANCELLED
 * </pre>
 *
 * @param version 1 when it is created, one more with each change
 * @param cancelReason why it was cancelled; null unless it was
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
   * A new deal.
   *
   * @throws InvalidDealException for the first field that cannot be what is given
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
   * The id, if a deal can have it.
   *
   * @throws InvalidDealException when none can
   */
  public static String checkedId(String id) {
    return Checked.id("dealId", id);
  }

  /**
   * The advertiser has paid.
   *
   * @throws InvalidDealException when it is not the price
   * @throws DealStateException unless it was only created
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
   * The advert was shown.
   *
   * @throws DealStateException unless it is funded
   */
  public Deal complete() {
    if (status != DealStatus.FUNDED) {
      throw new DealStateException(this, "completed");
    }
    return next(DealStatus.COMPLETED, null);
  }

  /**
   * One of the two does not want it any more.
   *
   * @throws InvalidDealException without a reason
   * @throws DealStateException when it has ended
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
