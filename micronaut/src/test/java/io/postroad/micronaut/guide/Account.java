package io.postroad.micronaut.guide;

import java.util.UUID;

public class Account {
  private final UUID accountId;
  private final UUID customerId;
  private final String accountNumber;
  private final String currencyCode;
  private final AccountType accountType;
  private final String transitNumber;
  private final boolean limitBased;
  private Money availableBalance;

  public Account(
      UUID accountId,
      UUID customerId,
      String accountNumber,
      String currencyCode,
      AccountType accountType,
      String transitNumber,
      boolean limitBased,
      Money availableBalance) {
    this.accountId = accountId;
    this.customerId = customerId;
    this.accountNumber = accountNumber;
    this.currencyCode = currencyCode;
    this.accountType = accountType;
    this.transitNumber = transitNumber;
    this.limitBased = limitBased;
    this.availableBalance = availableBalance;
  }

  public void debit(Money amount) {
    Money newBalance = availableBalance.subtract(amount);
    if (!limitBased && newBalance.isNegative()) {
      throw new InsufficientFundsException(accountId, availableBalance, amount);
    }
    availableBalance = newBalance;
  }

  public void credit(Money amount) {
    availableBalance = availableBalance.add(amount);
  }

  public UUID getAccountId() {
    return accountId;
  }

  public UUID getCustomerId() {
    return customerId;
  }

  public String getAccountNumber() {
    return accountNumber;
  }

  public String getCurrencyCode() {
    return currencyCode;
  }

  public AccountType getAccountType() {
    return accountType;
  }

  public String getTransitNumber() {
    return transitNumber;
  }

  public boolean isLimitBased() {
    return limitBased;
  }

  public Money getAvailableBalance() {
    return availableBalance;
  }
}
