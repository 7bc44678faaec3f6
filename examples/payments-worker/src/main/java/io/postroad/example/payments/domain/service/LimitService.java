package io.postroad.example.payments.domain.service;

import io.postroad.example.payments.application.command.BookLimitsCommand;
import io.postroad.example.payments.application.command.CreateLimitsCommand;
import io.postroad.example.payments.application.command.LimitsBooked;
import io.postroad.example.payments.application.command.LimitsCreated;
import io.postroad.example.payments.application.command.ReverseLimitsCommand;
import io.postroad.example.payments.domain.model.Account;
import io.postroad.example.payments.domain.model.AccountLimit;
import io.postroad.example.payments.domain.model.AccountLimitDefinition;
import io.postroad.example.payments.domain.model.BookingKind;
import io.postroad.example.payments.domain.model.LimitExceededException;
import io.postroad.example.payments.domain.model.LimitsConflictException;
import io.postroad.example.payments.domain.model.UnknownAccountException;
import io.postroad.example.payments.domain.repository.AccountLimitRepository;
import io.postroad.example.payments.domain.repository.AccountRepository;
import io.postroad.example.payments.domain.repository.BookingRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Books and releases limits, once per booking. Thread-safe: bookings of one account wait for each
 * other.
 */
@Singleton
public class LimitService {
  private final AccountLimitRepository limits;
  private final AccountRepository accounts;
  private final BookingRepository bookings;

  public LimitService(
      AccountLimitRepository limits, AccountRepository accounts, BookingRepository bookings) {
    this.limits = limits;
    this.accounts = accounts;
    this.bookings = bookings;
  }

  /**
   * Creates limits. A repeated request finds the existing ones, because their ids derive from the
   * account's id and their position. The account is locked, so that the second of two concurrent
   * requests finds the limits of the first.
   *
   * @throws LimitsConflictException if the account is not limit-based, or has other limits
   */
  @Transactional
  public LimitsCreated createLimits(CreateLimitsCommand cmd) {
    UUID accountId = cmd.accountId();
    Account account =
        accounts.findForUpdate(accountId).orElseThrow(() -> new UnknownAccountException(accountId));
    if (!account.isLimitBased()) {
      throw new LimitsConflictException(accountId, "is not limit-based");
    }
    List<AccountLimitDefinition> known =
        limits.findByAccountId(accountId).stream().map(AccountLimit::definition).toList();
    if (known.isEmpty()) {
      int place = 0;
      for (AccountLimitDefinition definition : cmd.limits()) {
        limits.save(AccountLimit.of(limitId(accountId, place++), accountId, definition));
      }
    } else if (!known.equals(cmd.limits())) {
      throw new LimitsConflictException(
          accountId, "has the limits %s, not %s".formatted(known, cmd.limits()));
    }
    return new LimitsCreated(cmd.limits().size());
  }

  private static UUID limitId(UUID accountId, int place) {
    return UUID.nameUUIDFromBytes((accountId + ":" + place).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Books a limit. An account that is not limit-based needs no booking: its balance is its limit. A
   * limit-based account without limits has no room.
   */
  @Transactional
  public LimitsBooked bookLimits(BookLimitsCommand cmd) {
    bookings.open(BookingKind.LIMITS, cmd.bookingId());
    List<AccountLimit> all = limits.findForUpdate(cmd.accountId());
    if (all.isEmpty() && !isLimitBased(cmd.accountId())) {
      return new LimitsBooked(Optional.empty(), BigDecimal.ZERO);
    }
    AccountLimit limit =
        all.stream()
            .filter(each -> each.booking(cmd.bookingId()).isPresent())
            .findFirst()
            .or(() -> applicable(all, cmd))
            .orElseThrow(
                () ->
                    new LimitExceededException(
                        cmd.accountId(), cmd.transactionType(), cmd.amount()));
    limits.save(limit.book(cmd.amount(), cmd.bookingId()));
    return new LimitsBooked(Optional.of(limit.limitId()), cmd.amount().amount());
  }

  private boolean isLimitBased(UUID accountId) {
    return accounts.findById(accountId).filter(Account::isLimitBased).isPresent();
  }

  private static Optional<AccountLimit> applicable(List<AccountLimit> all, BookLimitsCommand cmd) {
    return all.stream()
        .filter(each -> each.canAccommodate(cmd.amount(), cmd.transactionType()))
        .findFirst();
  }

  @Transactional
  public void reverseLimits(ReverseLimitsCommand cmd) {
    bookings.close(BookingKind.LIMITS, cmd.bookingId());
    limits
        .findByBookingId(cmd.bookingId())
        .ifPresent(limit -> limits.save(limit.release(cmd.bookingId())));
  }
}
