package io.postroad.micronaut.guide;

import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.Map;
import java.util.UUID;

@Singleton
@Requires(env = "guide")
public class AccountService {
  private final AccountRepository accountRepository;

  public AccountService(AccountRepository accountRepository) {
    this.accountRepository = accountRepository;
  }

  @Transactional
  public Account createAccount(CreateAccountCommand cmd) {
    Account account =
        new Account(
            UUID.randomUUID(),
            cmd.customerId(),
            generateAccountNumber(),
            cmd.currencyCode(),
            cmd.accountType(),
            cmd.transitNumber(),
            cmd.limitBased(),
            Money.zero(cmd.currencyCode()));

    accountRepository.save(account);
    return account;
  }

  @Transactional
  public Map<String, Object> createTransaction(CreateTransactionCommand cmd) {
    Account account = accountRepository.findById(cmd.debitAccountId()).orElseThrow();
    account.debit(Money.of(cmd.amount(), account.getCurrencyCode()));
    accountRepository.save(account);
    return Map.of("transactionId", UUID.randomUUID().toString());
  }

  @Transactional
  public void reverseTransaction(ReverseTransactionCommand cmd) {
    Account account = accountRepository.findById(cmd.debitAccountId()).orElseThrow();
    account.credit(Money.of(cmd.amount(), account.getCurrencyCode()));
    accountRepository.save(account);
  }

  private static String generateAccountNumber() {
    return "ACC" + Math.abs(UUID.randomUUID().getMostSignificantBits() % 1_000_000_000);
  }
}
