package io.postroad.example.payments.domain.repository;

import io.postroad.example.payments.domain.model.Account;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Keeps accounts, each with its transactions as a whole. Joins the transaction of its caller. */
public interface AccountRepository {

  /** Writes the account and those of its transactions that are new. */
  void save(Account account);

  Optional<Account> findById(UUID accountId);

  /** {@link #findById}, and nobody else changes it until the transaction of the caller ends. */
  Optional<Account> findForUpdate(UUID accountId);

  Optional<Account> findByAccountNumber(String accountNumber);

  List<Account> findByCustomerId(UUID customerId);
}
