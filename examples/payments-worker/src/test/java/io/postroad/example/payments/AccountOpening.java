package io.postroad.example.payments;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.postroad.example.payments.orchestration.CreateAccountProcessDefinition;
import io.postroad.process.ProcessManager;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Requests an account, in an application that may not complete it. */
final class AccountOpening {
  private AccountOpening() {}

  /** Starts the process, and returns its id. */
  @SuppressWarnings("unchecked")
  static UUID start(ApplicationContext application, String accountId) {
    ProcessManager<Connection> processes =
        application.getBean(Argument.of(ProcessManager.class, Connection.class));
    return processes.startProcess(
        CreateAccountProcessDefinition.TYPE,
        accountId,
        Map.of(
            "accountId",
            accountId,
            "customerId",
            accountId,
            "currencyCode",
            "USD",
            "accountType",
            "CHECKING",
            "transitNumber",
            "001",
            "limitBased",
            false,
            "limits",
            List.of()));
  }
}
