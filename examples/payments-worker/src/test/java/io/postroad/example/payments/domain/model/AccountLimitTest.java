package io.postroad.example.payments.domain.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class AccountLimitTest {
  private final UUID bookingId = UUID.randomUUID();
  private final AccountLimit limit =
      AccountLimit.of(
          UUID.randomUUID(),
          UUID.randomUUID(),
          new AccountLimitDefinition(TransactionType.DEBIT, Money.of(100, "USD")));

  @Test
  void aBookingUsesItsAmount() {
    AccountLimit booked = limit.book(Money.of(60, "USD"), bookingId);
    assertEquals(Money.of(60, "USD"), booked.utilizedAmount());
    assertEquals(Money.of(40, "USD"), booked.available());
    assertEquals(Money.zero("USD"), limit.utilizedAmount());
  }

  @Test
  void aLimitCanBeUsedCompletelyButNotExceeded() {
    AccountLimit full = limit.book(Money.of(100, "USD"), bookingId);
    assertThat(full.canAccommodate(Money.of(0.0001, "USD"), TransactionType.DEBIT)).isFalse();
    assertThrows(
        LimitExceededException.class, () -> full.book(Money.of(0.0001, "USD"), UUID.randomUUID()));
  }

  @Test
  void aBookingCountsOnce() {
    AccountLimit booked = limit.book(Money.of(60, "USD"), bookingId);
    assertThat(booked.book(Money.of(60, "USD"), bookingId)).isSameAs(booked);
  }

  @Test
  void aReleaseReturnsTheAmountOfTheBookingOnce() {
    AccountLimit two =
        limit.book(Money.of(60, "USD"), bookingId).book(Money.of(10, "USD"), UUID.randomUUID());
    AccountLimit released = two.release(bookingId);
    assertEquals(Money.of(10, "USD"), released.utilizedAmount());
    assertThat(released.release(bookingId)).isSameAs(released);
  }

  @Test
  void aReleaseWithoutABookingHasNoEffect() {
    assertThat(limit.release(bookingId)).isSameAs(limit);
  }

  @Test
  void aReleasedBookingIsNotBookedAgain() {
    AccountLimit released = limit.book(Money.of(60, "USD"), bookingId).release(bookingId);
    assertThrows(BookingClosedException.class, () -> released.book(Money.of(60, "USD"), bookingId));
  }

  @Test
  void aLimitAppliesToItsTransactionTypeAndCurrency() {
    assertThat(limit.canAccommodate(Money.of(1, "USD"), TransactionType.DEBIT)).isTrue();
    assertThat(limit.canAccommodate(Money.of(1, "USD"), TransactionType.CREDIT)).isFalse();
    assertThat(limit.canAccommodate(Money.of(1, "EUR"), TransactionType.DEBIT)).isFalse();
  }

  @Test
  void onlyChangesAreSaved() {
    AccountLimit booked = limit.book(Money.of(60, "USD"), bookingId);
    assertThat(limit.unsaved()).isEmpty();
    assertThat(booked.unsaved())
        .containsExactly(
            new LimitBooking(bookingId, Money.of(60, "USD"), LimitBooking.Status.BOOKED));
  }

  @Test
  void aLimitOfZeroIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new AccountLimitDefinition(TransactionType.DEBIT, Money.zero("USD")));
  }
}
