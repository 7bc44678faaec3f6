package io.postroad.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import io.postroad.example.payments.domain.model.Account;
import io.postroad.example.payments.domain.model.AccountType;
import io.postroad.example.payments.domain.model.Beneficiary;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.repository.AccountRepository;
import io.postroad.example.payments.domain.repository.PaymentRepository;
import io.postroad.example.payments.orchestration.PaymentRequest;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessStatus;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import java.sql.Connection;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Section 7.4 of the guide, with Kafka: only one setting differs, and no code. */
@MicronautTest(environments = "kafka", transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KafkaE2ETest implements TestPropertyProvider {

  @Inject ProcessManager<Connection> processManager;

  @Inject AccountRepository accountRepository;

  @Inject PaymentRepository paymentRepository;

  @Inject Endings endings;

  @Inject Optional<ConnectionFactory> jms;

  @Override
  public Map<String, String> getProperties() {
    Map<String, String> properties = new HashMap<>();
    TestServers.fresh("payments_kafka")
        .forEach((name, value) -> properties.put(name, String.valueOf(value)));
    properties.put("KAFKA_BOOTSTRAP_SERVERS", TestServers.kafka().bootstrapServers());
    return properties;
  }

  @Test
  void shouldCompletePaymentProcess() throws Exception {
    Account account =
        new Account(
            UUID.randomUUID(),
            UUID.randomUUID(),
            "ACC1",
            "USD",
            AccountType.CHECKING,
            "001",
            false,
            Money.of(1000, "USD"));
    accountRepository.save(account);
    UUID paymentId = UUID.randomUUID();

    UUID processId =
        processManager.startProcess(
            "SimplePayment",
            paymentId.toString(),
            new PaymentRequest(
                    paymentId,
                    account.getAccountId(),
                    Money.of(100, "USD"),
                    Money.of(135, "CAD"),
                    true,
                    LocalDate.of(2026, 11, 30),
                    new Beneficiary("Ada", "DE1", "002"),
                    "Rent")
                .data());

    assertEquals(ProcessStatus.SUCCEEDED, endings.await(processId));
    assertEquals(
        Money.of(900, "USD"),
        accountRepository.findById(account.getAccountId()).orElseThrow().getAvailableBalance());
    assertThat(paymentRepository.findByAccountId(account.getAccountId())).hasSize(1);
    assertThat(jms).isEmpty();
  }
}
