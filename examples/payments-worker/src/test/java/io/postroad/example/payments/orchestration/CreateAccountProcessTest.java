package io.postroad.example.payments.orchestration;

import static io.postroad.process.ProcessStatus.SUCCEEDED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.process.ProcessGraph;
import io.postroad.test.ProcessFixture;
import io.postroad.test.model.ModelCheck;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CreateAccountProcessTest {
  private final CreateAccountProcessDefinition definition = new CreateAccountProcessDefinition();

  private ProcessFixture started(boolean limitBased) {
    String id = UUID.randomUUID().toString();
    ProcessFixture process = ProcessFixture.of(definition, JacksonJsonCodec.create());
    process.given(
        Map.of(
            "accountId",
            id,
            "customerId",
            id,
            "currencyCode",
            "USD",
            "accountType",
            "CHECKING",
            "transitNumber",
            "001",
            "limitBased",
            limitBased,
            "limits",
            limitBased
                ? List.of(
                    Map.of(
                        "transactionType",
                        "DEBIT",
                        "amount",
                        Map.of("amount", 100, "currencyCode", "USD")))
                : List.of()));
    return process;
  }

  @Test
  void onlyLimitBasedAccountsHaveTheLimitsStep() {
    ProcessGraph graph = definition.defineProcess();
    assertEquals("CreateAccount", graph.getInitialStep());
    assertEquals(
        Optional.of("CreateLimits"),
        graph.getNextStep("CreateAccount", Map.of("limitBased", true)));
    assertEquals(
        Optional.of("CompleteAccountCreation"),
        graph.getNextStep("CreateAccount", Map.of("limitBased", false)));
    assertEquals(Optional.empty(), graph.getNextStep("CompleteAccountCreation", Map.of()));
  }

  @Test
  void withLimits() {
    ProcessFixture process = started(true);
    process.whenCompleted("CreateAccount").thenCommands("CreateLimits");
    process.whenCompleted("CreateLimits").thenCommands("CompleteAccountCreation");
    process.whenCompleted("CompleteAccountCreation").thenStatus(SUCCEEDED);
  }

  @Test
  void withoutLimits() {
    ProcessFixture process = started(false);
    process.whenCompleted("CreateAccount").thenCommands("CompleteAccountCreation");
    process.whenCompleted("CompleteAccountCreation").thenStatus(SUCCEEDED);
  }

  @Test
  void theProcessEndsInEveryCase() {
    ModelCheck.of(definition, 0);
  }
}
