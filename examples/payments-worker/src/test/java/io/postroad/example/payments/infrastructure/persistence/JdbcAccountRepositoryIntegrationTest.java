package io.postroad.example.payments.infrastructure.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;

import io.micronaut.test.annotation.MockBean;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.example.payments.TestServers;
import io.postroad.example.payments.domain.model.Account;
import io.postroad.example.payments.domain.model.AccountType;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.Transaction;
import io.postroad.example.payments.domain.model.TransactionType;
import io.postroad.example.payments.domain.repository.AccountRepository;
import io.postroad.process.ProcessManager;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Section 7.3 of the guide: a real database, and mocks of the framework's beans. */
@MicronautTest(startApplication = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdbcAccountRepositoryIntegrationTest implements TestPropertyProvider {

  @Inject AccountRepository accountRepository;

  @Inject TransactionOperations<Connection> tx;

  @Inject ProcessManager<Connection> processManager;

  @Inject AutoCommandHandlerRegistry<Connection> autoCommandHandlerRegistry;

  @Override
  public Map<String, String> getProperties() {
    Map<String, String> properties = new HashMap<>();
    TestServers.fresh("payments_accounts")
        .forEach((name, value) -> properties.put(name, String.valueOf(value)));
    properties.put("JMS_CONSUMERS_ENABLED", "false");
    properties.put("postroad.inbox.enabled", "false");
    properties.put("postroad.relay.enabled", "false");
    return properties;
  }

  @MockBean(AutoCommandHandlerRegistry.class)
  @SuppressWarnings("unchecked")
  AutoCommandHandlerRegistry<Connection> mockOfTheRegistry() {
    return mock(AutoCommandHandlerRegistry.class);
  }

  @MockBean(ProcessManager.class)
  @SuppressWarnings("unchecked")
  ProcessManager<Connection> mockOfTheManager() {
    return mock(ProcessManager.class);
  }

  private static Account account(String number) {
    return new Account(
        UUID.randomUUID(),
        UUID.randomUUID(),
        number,
        "USD",
        AccountType.CHECKING,
        "001",
        false,
        Money.of(1000, "USD"));
  }

  @Test
  void shouldSaveAndRetrieveAccount() {
    Account account = account("ACC1");
    accountRepository.save(account);

    Optional<Account> retrieved = accountRepository.findById(account.getAccountId());

    assertTrue(retrieved.isPresent());
    assertEquals(account.getAccountNumber(), retrieved.get().getAccountNumber());
    assertThat(retrieved.get()).usingRecursiveComparison().isEqualTo(account);
  }

  @Test
  void theFrameworksBeansAreMocksAndTheTestIsRolledBack() {
    assertTrue(mockingDetails(processManager).isMock());
    assertTrue(mockingDetails(autoCommandHandlerRegistry).isMock());
    assertTrue(tx.findTransactionStatus().isPresent());
  }

  @Test
  void transactionsAreReturnedInTheOrderOfTheirCreation() {
    Account account = account("ACC2");
    Transaction first = account.createTransaction(TransactionType.DEBIT, Money.of(1, "USD"), "One");
    Transaction second =
        account.createTransaction(
            TransactionType.CREDIT, Money.of(2, "USD"), "Two", UUID.randomUUID());
    accountRepository.save(account);

    Account loaded = accountRepository.findById(account.getAccountId()).orElseThrow();

    assertThat(loaded.getTransactions()).containsExactly(first, second);
    assertEquals(Money.of(1001, "USD"), loaded.getAvailableBalance());
  }

  @Test
  void aSecondSaveWritesOnlyNewTransactions() {
    Account account = account("ACC3");
    account.createTransaction(TransactionType.DEBIT, Money.of(1, "USD"), "One");
    accountRepository.save(account);
    Account loaded = accountRepository.findById(account.getAccountId()).orElseThrow();
    loaded.createTransaction(TransactionType.DEBIT, Money.of(1, "USD"), "Two");

    accountRepository.save(loaded);
    accountRepository.save(loaded);

    assertThat(accountRepository.findById(account.getAccountId()).orElseThrow().getTransactions())
        .extracting(Transaction::description)
        .containsExactly("One", "Two");
  }

  @Test
  void accountsAreFoundByNumberAndByCustomer() {
    Account account = account("ACC4");
    accountRepository.save(account);

    assertThat(accountRepository.findByAccountNumber("ACC4"))
        .hasValueSatisfying(each -> assertEquals(account.getAccountId(), each.getAccountId()));
    assertThat(accountRepository.findByAccountNumber("ACC0")).isEmpty();
    assertThat(accountRepository.findByCustomerId(account.getCustomerId()))
        .extracting(Account::getAccountNumber)
        .containsExactly("ACC4");
    assertThat(accountRepository.findByCustomerId(UUID.randomUUID())).isEmpty();
  }

  @Test
  void anUnknownIdFindsNoAccount() {
    assertThat(accountRepository.findById(UUID.randomUUID())).isEmpty();
    assertThat(accountRepository.findForUpdate(UUID.randomUUID())).isEmpty();
  }

  /** The columns are TIMESTAMP without a zone: they contain UTC. */
  @Test
  void timesAreStoredInUtcInAnyZone() {
    Account account = account("ACC5");
    TimeZone usual = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
    try {
      Instant begun = Instant.now().truncatedTo(ChronoUnit.MICROS);
      Transaction made =
          account.createTransaction(TransactionType.DEBIT, Money.of(1, "USD"), "Now");
      savedInTokyo(account);

      assertEquals(
          made.transactionTime(),
          time("SELECT transaction_time FROM transaction WHERE account_id = ?", account));
      assertThat(time("SELECT created_at FROM account WHERE account_id = ?", account))
          .isBetween(begun, Instant.now());
      assertThat(accountRepository.findById(account.getAccountId()).orElseThrow().getTransactions())
          .containsExactly(made);
    } finally {
      TimeZone.setDefault(usual);
    }
  }

  private void savedInTokyo(Account account) {
    tx.executeWrite(
        status -> {
          try (Statement statement = status.getConnection().createStatement()) {
            statement.execute("SET LOCAL TIME ZONE 'Asia/Tokyo'");
            accountRepository.save(account);
            return true;
          }
        });
  }

  /** Returns the value of the column, which has no zone. */
  private Instant time(String sql, Account account) {
    return tx.executeRead(
            status ->
                Sql.query(
                        status.getConnection(),
                        sql,
                        row -> row.getObject(1, LocalDateTime.class),
                        account.getAccountId())
                    .get(0))
        .toInstant(ZoneOffset.UTC);
  }
}
