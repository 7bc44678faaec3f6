package io.postroad.example.payments.domain.service;

import io.postroad.example.payments.application.command.BookFxCommand;
import io.postroad.example.payments.application.command.FxBooked;
import io.postroad.example.payments.application.command.UnwindFxCommand;
import io.postroad.example.payments.domain.model.BookingConflictException;
import io.postroad.example.payments.domain.model.BookingKind;
import io.postroad.example.payments.domain.model.FxContract;
import io.postroad.example.payments.domain.model.FxRateException;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.repository.BookingRepository;
import io.postroad.example.payments.domain.repository.FxContractRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

/** Books and unwinds FX contracts, one per booking. Thread-safe. */
@Singleton
public class FxService {
  private final FxContractRepository contracts;
  private final BookingRepository bookings;
  private final FxRates rates;

  public FxService(FxContractRepository contracts, BookingRepository bookings, FxRates rates) {
    this.contracts = contracts;
    this.bookings = bookings;
    this.rates = rates;
  }

  @Transactional
  public FxBooked bookFx(BookFxCommand cmd) {
    bookings.open(BookingKind.FX, cmd.bookingId());
    FxContract contract = contracts.findByBookingId(cmd.bookingId()).orElseGet(() -> booked(cmd));
    if (!contract.sellAmount().equals(cmd.sellAmount())
        || !contract.buyAmount().equals(cmd.buyAmount())
        || !contract.valueDate().equals(cmd.valueDate())) {
      throw new BookingConflictException(cmd.bookingId(), contract, cmd);
    }
    return new FxBooked(contract.fxContractId(), contract.exchangeRate());
  }

  private FxContract booked(BookFxCommand cmd) {
    String sell = cmd.sellAmount().currencyCode();
    String buy = cmd.buyAmount().currencyCode();
    Money worth =
        rates
            .worth(cmd.sellAmount(), buy)
            .orElseThrow(() -> new FxRateException("%s is not traded for %s".formatted(buy, sell)));
    FxContract contract =
        FxContract.book(cmd.bookingId(), cmd.sellAmount(), cmd.buyAmount(), worth, cmd.valueDate());
    contracts.save(contract);
    return contract;
  }

  @Transactional
  public void unwindFx(UnwindFxCommand cmd) {
    bookings.close(BookingKind.FX, cmd.bookingId());
    contracts
        .findByBookingId(cmd.bookingId())
        .ifPresent(contract -> contracts.save(contract.unwind()));
  }
}
