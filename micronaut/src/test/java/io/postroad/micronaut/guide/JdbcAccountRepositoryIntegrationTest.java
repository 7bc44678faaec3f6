package io.postroad.micronaut.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;

import io.micronaut.test.annotation.MockBean;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.process.ProcessManager;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Section 7.3 of the guide: a real database, and the framework's beans mocked. */
@MicronautTest(
    environments = "guide",
    propertySources = "classpath:guide/application.yml",
    startApplication = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdbcAccountRepositoryIntegrationTest implements TestPropertyProvider {

  @Inject AccountRepository accountRepository;

  @Inject TransactionOperations<Connection> tx;

  @Inject ProcessManager<Connection> processManager;

  @Inject AutoCommandHandlerRegistry<Connection> autoCommandHandlerRegistry;

  @Inject CommandBus<Connection> commandBus;

  @Override
  public Map<String, String> getProperties() {
    return GuideDatabase.fresh("guide_repository");
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

  @Test
  void shouldSaveAndRetrieveAccount() {
    Account account =
        new Account(
            UUID.randomUUID(),
            UUID.randomUUID(),
            "ACC1",
            "USD",
            AccountType.CHECKING,
            "001",
            false,
            Money.of(10, "USD"));
    accountRepository.save(account);

    Optional<Account> retrieved = accountRepository.findById(account.getAccountId());

    assertTrue(retrieved.isPresent());
    assertEquals(account.getAccountNumber(), retrieved.get().getAccountNumber());
    assertTrue(tx.findTransactionStatus().isPresent(), "the test is in a transaction");
  }

  @Test
  void theFrameworksBeansAreMocks() {
    assertTrue(mockingDetails(processManager).isMock());
    assertTrue(mockingDetails(autoCommandHandlerRegistry).isMock());
    assertFalse(commandBus.isRunning());
  }
}
