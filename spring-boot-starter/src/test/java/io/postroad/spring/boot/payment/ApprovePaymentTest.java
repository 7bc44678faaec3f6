package io.postroad.spring.boot.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.message.Message;
import io.postroad.spring.boot.TestDatabases;
import io.postroad.spring.boot.test.PostroadDrain;
import io.postroad.spring.boot.test.PublishedMessages;
import io.postroad.transaction.NoTransactionException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The service of the payment team does what its text says, on JPA and a real PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApprovePaymentTest {
  private ConfigurableApplicationContext application;
  private ApprovePaymentUseCase service;
  private PublishedMessages published;
  private PostroadDrain drain;
  private JdbcTemplate jdbc;

  @BeforeAll
  void start() {
    application =
        new SpringApplicationBuilder(PaymentApplication.class)
            .properties(TestDatabases.postgres("payments"))
            .properties(
                "spring.jpa.hibernate.ddl-auto=update",
                "spring.main.banner-mode=off",
                "kafka.topics.payment-approved=payment-approved")
            .run();
    service = application.getBean(ApprovePaymentUseCase.class);
    published = application.getBean(PublishedMessages.class);
    drain = application.getBean(PostroadDrain.class);
    jdbc = application.getBean(JdbcTemplate.class);
  }

  @BeforeEach
  void empty() {
    drain.now();
    published.clear();
    jdbc.execute("TRUNCATE payments");
  }

  @AfterAll
  void stop() {
    application.close();
  }

  @Test
  void anApprovedPaymentIsStoredAndItsEventIsPublished() {
    PaymentResponse response = service.approvePayment(command("p1", "10.50"));
    published.assertNone();

    assertThat(drain.now()).isEqualTo(1);

    assertThat(response).isEqualTo(new PaymentResponse("p1", "APPROVED"));
    assertThat(payments()).containsExactly("APPROVED");
    Message event = published.only("payment-approved", "PAYMENT_APPROVED");
    assertThat(event.key()).contains("user-1");
    assertThat(event.payload().text().orElseThrow())
        .contains("\"paymentId\":\"p1\"")
        .contains("10.50");
    assertThat(drain.now()).as("once").isZero();
  }

  @Test
  void rolledBackMessagesAreNeitherStoredNorPublished() {
    assertThatThrownBy(() -> service.approvePayment(command("p2", "-1")))
        .hasMessageContaining("negative");
    new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> {
              service.approvePayment(command("p3", "1"));
              status.setRollbackOnly();
            });

    assertThat(drain.now()).isZero();
    published.assertNone();
    assertThat(payments()).isEmpty();
  }

  /** At the commit it would look like trouble with the database, and be tried again. */
  @Test
  void aConstraintThatJpaMeetsLateIsTheFailureOfTheHandler() {
    CommandBus<?> bus = application.getBean(CommandBus.class);
    RefundService refunds = application.getBean(RefundService.class);
    service.approvePayment(command("taken", "1"));
    UUID taken = bus.accept("RefundPayment", "r-1", "taken", "{\"refundId\":\"taken\"}", Map.of());
    UUID free = bus.accept("RefundPayment", "r-2", "free", "{\"refundId\":\"free\"}", Map.of());

    drain.now();

    assertThat(bus.findReply(taken)).get().isInstanceOf(CommandReply.Failed.class);
    assertThat(bus.findReply(free)).get().isInstanceOf(CommandReply.Completed.class);
    assertThat(refunds.calls()).as("each once").isEqualTo(2);
    assertThat(payments()).containsExactlyInAnyOrder("APPROVED", "PENDING");
  }

  @Test
  void anEventWithoutATransactionIsRefused() {
    OutboxService outbox = application.getBean(OutboxService.class);
    assertThatThrownBy(() -> outbox.saveEvent("PAYMENT", "p", "X", "t", "k", "payload"))
        .isInstanceOf(NoTransactionException.class);
  }

  private List<String> payments() {
    return jdbc.queryForList("SELECT status FROM payments", String.class);
  }

  private static ApprovePaymentCommand command(String id, String amount) {
    return new ApprovePaymentCommand(id, "user-1", new BigDecimal(amount), "BRL");
  }
}
