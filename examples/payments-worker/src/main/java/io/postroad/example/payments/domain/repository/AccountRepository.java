package io.postroad.example.payments.domain.repository;

import io.postroad.example.payments.domain.model.Account;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stores accounts with all their transactions. Joins the caller's transaction. */
public interface AccountRepository {

  /** Writes the account and its new transactions. */
  void save(Account account);

  Optional<Account> findById(UUID accountId);

  /** Returns an account and locks it until the caller's transaction ends. */
  Optional<Account> findForUpdate(UUID accountId);

  Optional<Account> findByAccountNumber(String accountNumber);

  List<Account> findByCustomerId(UUID customerId);
}
