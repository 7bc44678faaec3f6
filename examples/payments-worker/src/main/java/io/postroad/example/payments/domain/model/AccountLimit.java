package io.postroad.example.payments.domain.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Limits the amount of one type of transaction of an account, and tracks the bookings that use it.
 * Immutable: booking and releasing return a new limit. A repeated booking or release has no further
 * effect.
 */
public final class AccountLimit {
  private final UUID limitId;
  private final UUID accountId;
  private final TransactionType transactionType;
  private final Money limitAmount;
  private final Money utilizedAmount;
  private final Map<UUID, LimitBooking> bookings;
  private final List<LimitBooking> unsaved;

  private AccountLimit(
      UUID limitId,
      UUID accountId,
      TransactionType transactionType,
      Money limitAmount,
      Money utilizedAmount,
      Map<UUID, LimitBooking> bookings,
      List<LimitBooking> unsaved) {
    this.limitId = limitId;
    this.accountId = accountId;
    this.transactionType = transactionType;
    this.limitAmount = limitAmount;
    this.utilizedAmount = utilizedAmount;
    this.bookings = bookings;
    this.unsaved = unsaved;
  }

  /** Creates an unused limit. */
  public static AccountLimit of(UUID limitId, UUID accountId, AccountLimitDefinition definition) {
    return restored(
        limitId,
        accountId,
        definition.transactionType(),
        definition.amount(),
        Money.zero(definition.amount().currencyCode()),
        List.of());
  }

  /** Restores a saved limit. */
  public static AccountLimit restored(
      UUID limitId,
      UUID accountId,
      TransactionType transactionType,
      Money limitAmount,
      Money utilizedAmount,
      List<LimitBooking> bookings) {
    Map<UUID, LimitBooking> byId = new LinkedHashMap<>();
    bookings.forEach(each -> byId.put(each.bookingId(), each));
    return new AccountLimit(
        limitId, accountId, transactionType, limitAmount, utilizedAmount, byId, List.of());
  }

  /** Returns whether an amount of this type fits into the limit. */
  public boolean canAccommodate(Money amount, TransactionType type) {
    return type == transactionType
        && amount.currencyCode().equals(limitAmount.currencyCode())
        && available().covers(amount);
  }

  /**
   * Returns the limit with the amount of a booking; unchanged if it is booked already.
   *
   * @throws BookingClosedException if the booking was released
   * @throws BookingConflictException if the booking has another amount
   * @throws LimitExceededException if the amount does not fit
   */
  public AccountLimit book(Money amount, UUID bookingId) {
    Optional<LimitBooking> known = booking(bookingId);
    if (known.isPresent()) {
      if (known.get().status() == LimitBooking.Status.RELEASED) {
        throw new BookingClosedException(bookingId);
      }
      if (!known.get().amount().equals(amount)) {
        throw new BookingConflictException(bookingId, known.get().amount(), amount);
      }
      return this;
    }
    if (!canAccommodate(amount, transactionType)) {
      throw new LimitExceededException(accountId, transactionType, amount);
    }
    return with(
        utilizedAmount.add(amount),
        new LimitBooking(bookingId, amount, LimitBooking.Status.BOOKED));
  }

  /** Returns the limit without the amount of a booking; unchanged if it uses nothing. */
  public AccountLimit release(UUID bookingId) {
    return booking(bookingId)
        .filter(each -> each.status() == LimitBooking.Status.BOOKED)
        .map(each -> with(utilizedAmount.subtract(each.amount()), each.released()))
        .orElse(this);
  }

  private AccountLimit with(Money newUtilized, LimitBooking changed) {
    Map<UUID, LimitBooking> newBookings = new LinkedHashMap<>(bookings);
    newBookings.put(changed.bookingId(), changed);
    List<LimitBooking> newUnsaved = new ArrayList<>(unsaved);
    newUnsaved.add(changed);
    return new AccountLimit(
        limitId, accountId, transactionType, limitAmount, newUtilized, newBookings, newUnsaved);
  }

  public Optional<LimitBooking> booking(UUID bookingId) {
    return Optional.ofNullable(bookings.get(bookingId));
  }

  public Money available() {
    return limitAmount.subtract(utilizedAmount);
  }

  public UUID limitId() {
    return limitId;
  }

  public UUID accountId() {
    return accountId;
  }

  public TransactionType transactionType() {
    return transactionType;
  }

  public Money limitAmount() {
    return limitAmount;
  }

  /** Returns the definition of the limit. */
  public AccountLimitDefinition definition() {
    return new AccountLimitDefinition(transactionType, limitAmount);
  }

  public Money utilizedAmount() {
    return utilizedAmount;
  }

  /** Returns the used amount since the limit was loaded. */
  public Money newlyUtilized() {
    Money sum = Money.zero(limitAmount.currencyCode());
    for (LimitBooking each : unsaved) {
      sum =
          each.status() == LimitBooking.Status.BOOKED
              ? sum.add(each.amount())
              : sum.subtract(each.amount());
    }
    return sum;
  }

  /** Returns the changed bookings since the limit was loaded, in the order of their changes. */
  public List<LimitBooking> unsaved() {
    return List.copyOf(unsaved);
  }
}
