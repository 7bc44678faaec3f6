package io.postroad.example.payments.infrastructure.persistence;

import io.micronaut.transaction.TransactionOperations;
import io.postroad.example.payments.domain.model.FxContract;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.repository.FxContractRepository;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;

/** Stores contracts in the table fx_contract. Thread-safe. */
@Singleton
public class JdbcFxContractRepository implements FxContractRepository {
  private static final String UPSERT =
      """
      INSERT INTO fx_contract (fx_contract_id, booking_id, sell_amount, sell_currency, buy_amount,
        buy_currency, exchange_rate, value_date, status)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (fx_contract_id)
      DO UPDATE SET status = excluded.status
      """;

  private final TransactionOperations<Connection> tx;

  JdbcFxContractRepository(TransactionOperations<Connection> tx) {
    this.tx = tx;
  }

  @Override
  public void save(FxContract contract) {
    tx.executeWrite(
        status -> {
          Sql.update(
              status.getConnection(),
              UPSERT,
              contract.fxContractId(),
              contract.bookingId(),
              contract.sellAmount().amount(),
              contract.sellAmount().currencyCode(),
              contract.buyAmount().amount(),
              contract.buyAmount().currencyCode(),
              contract.exchangeRate(),
              contract.valueDate(),
              contract.status().name());
          return true;
        });
  }

  @Override
  public Optional<FxContract> findById(UUID fxContractId) {
    return find("SELECT * FROM fx_contract WHERE fx_contract_id = ?", fxContractId);
  }

  @Override
  public Optional<FxContract> findByBookingId(UUID bookingId) {
    return find("SELECT * FROM fx_contract WHERE booking_id = ?", bookingId);
  }

  private Optional<FxContract> find(String sql, UUID id) {
    return tx.executeRead(
        status ->
            Sql.query(status.getConnection(), sql, JdbcFxContractRepository::toDomain, id).stream()
                .findFirst());
  }

  private static FxContract toDomain(ResultSet row) throws SQLException {
    return new FxContract(
        row.getObject("fx_contract_id", UUID.class),
        row.getObject("booking_id", UUID.class),
        new Money(row.getBigDecimal("sell_amount"), row.getString("sell_currency")),
        new Money(row.getBigDecimal("buy_amount"), row.getString("buy_currency")),
        row.getBigDecimal("exchange_rate"),
        row.getObject("value_date", LocalDate.class),
        FxContract.Status.valueOf(row.getString("status")));
  }
}
