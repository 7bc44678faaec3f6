package io.postroad.micronaut.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessRepository;
import io.postroad.process.ProcessStatus;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Section 7.4 of the guide, in its words, but for a transaction around it and for a sleep. */
@MicronautTest(
    environments = "guide",
    propertySources = "classpath:guide/application.yml",
    transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SimplePaymentE2ETest implements TestPropertyProvider {

  @Inject ProcessManager<Connection> processManager;

  @Inject ProcessRepository processRepository;

  @Inject AccountRepository accountRepository;

  @Inject LimitService limitService;

  @Inject CommandBus<Connection> commandBus;

  @Inject TransactionOperations<Connection> tx;

  @Inject Recorder.Endings endings;

  @Override
  public Map<String, String> getProperties() {
    Map<String, String> properties = new HashMap<>(GuideDatabase.fresh("guide"));
    properties.put("APP_PORT", "-1");
    return properties;
  }

  @Test
  void shouldCompletePaymentProcess() throws Exception {
    // Setup
    Account account = createAccountWithBalance(1000);
    accountRepository.save(account);

    // Start process
    UUID processId =
        processManager.startProcess(
            "SimplePayment",
            "payment-123",
            Map.of("debitAccountId", account.getAccountId(), "amount", 100.0, "requiresFx", false));

    endings.await(processId);
    ProcessInstance instance = processRepository.findById(processId).get();

    // Verify
    assertEquals(ProcessStatus.SUCCEEDED, instance.status());

    Account updated = accountRepository.findById(account.getAccountId()).get();
    assertEquals(Money.of(900, "USD"), updated.getAvailableBalance());

    assertEquals(1, payments(account));
    assertEquals(1, count("SELECT count(*) FROM outbox WHERE message_key = 'beneficiary-100'"));
  }

  /** The handler of the last step has written a row and a message when it throws. */
  @Test
  void aHandlerThatThrowsLeavesNeitherRowNorMessageAndTheStepsBeforeAreUndone() throws Exception {
    Account account = createAccountWithBalance(1000);
    accountRepository.save(account);

    UUID processId =
        processManager.startProcess(
            "SimplePayment",
            "payment-13",
            Map.of("debitAccountId", account.getAccountId(), "amount", 13.0, "requiresFx", true));

    endings.await(processId);

    ProcessInstance instance = processRepository.findById(processId).get();
    assertEquals(ProcessStatus.COMPENSATED, instance.status());
    assertEquals(0, payments(account));
    assertEquals(0, count("SELECT count(*) FROM outbox WHERE message_key = 'beneficiary-13'"));
    assertEquals(
        Money.of(1000, "USD"),
        accountRepository.findById(account.getAccountId()).get().getAvailableBalance());
    assertTrue(
        limitService.reversed().stream()
            .anyMatch(each -> each.toString().equals(instance.data().get("limitId"))));
  }

  @Test
  void insufficientFundsAreNotRetriedAndBookingsAreReversed() throws Exception {
    Account account = createAccountWithBalance(50);
    accountRepository.save(account);

    UUID processId =
        processManager.startProcess(
            "SimplePayment",
            "payment-50",
            Map.of("debitAccountId", account.getAccountId(), "amount", 100.0, "requiresFx", false));

    endings.await(processId);

    assertEquals(ProcessStatus.COMPENSATED, processRepository.findById(processId).get().status());
    assertEquals(
        Money.of(50, "USD"),
        accountRepository.findById(account.getAccountId()).get().getAvailableBalance());
  }

  @Test
  void aCommandIsHandledByTheServiceAndItsReplyHasTheResultOfTheMethod() throws Exception {
    UUID customerId = UUID.randomUUID();
    CommandReply reply =
        commandBus
            .submit(
                CommandRequest.of(
                    "CreateAccount",
                    "request-" + customerId,
                    "customer-" + customerId,
                    """
                    {"customerId": "%s", "currencyCode": "USD", "accountType": "CHECKING",
                     "transitNumber": "001", "limitBased": false}
                    """
                        .formatted(customerId)))
            .get(60, TimeUnit.SECONDS);

    Map<String, Object> data = ((CommandReply.Completed) reply).data();
    Account account =
        accountRepository.findById(UUID.fromString((String) data.get("accountId"))).get();
    assertEquals(customerId, account.getCustomerId());
    assertEquals(account.getAccountNumber(), data.get("accountNumber"));
  }

  private static Account createAccountWithBalance(double balance) {
    return new Account(
        UUID.randomUUID(),
        UUID.randomUUID(),
        "ACC" + Math.abs(UUID.randomUUID().getMostSignificantBits() % 1_000_000_000),
        "USD",
        AccountType.CHECKING,
        "001",
        false,
        Money.of(balance, "USD"));
  }

  private int payments(Account account) {
    return count(
        "SELECT count(*) FROM payment WHERE account_id = '%s'".formatted(account.getAccountId()));
  }

  private int count(String sql) {
    return tx.executeRead(
        status -> {
          try (PreparedStatement select = status.getConnection().prepareStatement(sql);
              ResultSet row = select.executeQuery()) {
            row.next();
            return row.getInt(1);
          }
        });
  }
}
