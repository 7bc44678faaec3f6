package io.postroad.spring.boot.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessStatus;
import io.postroad.spring.boot.test.PostroadDrain;
import io.postroad.spring.boot.test.PublishedMessages;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** What is one transaction with {@code @Transactional} methods; the same on both databases. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OrderContract {
  private final ConfigurableApplicationContext application;

  OrderContract(ConfigurableApplicationContext application) {
    this.application = application;
  }

  @BeforeEach
  void empty() {
    drain();
    published().clear();
  }

  @AfterAll
  void stop() {
    application.close();
  }

  @Test
  void aProcessRunsThroughTheHandlersOfBeans() {
    UUID processId = service().place("o1", 1, false);
    published().assertNone();
    drain();

    assertThat(process(processId).status()).isEqualTo(ProcessStatus.SUCCEEDED);
    assertThat(rows().names("orders")).contains("o1");
    assertThat(rows().names("reservations")).contains("o1");
    assertThat(rows().names("shipments")).contains("o1");
    assertThat(rows().names("audits")).contains("o1");
    assertThat(published().to("orders"))
        .extracting(Message::type)
        .containsExactly("OrderPlaced", "StockReserved", "OrderShipped");
  }

  @Test
  void aRollbackTakesCommandOutboxAndProcessRowsWithIt() {
    long commands = rows().count("command");
    long processes = rows().count("process_instance");
    long log = rows().count("process_log");

    assertThatThrownBy(() -> service().place("o2", 1, true)).hasMessage("changed my mind");
    drain();

    assertThat(rows().names("orders")).doesNotContain("o2");
    assertThat(rows().count("command")).isEqualTo(commands);
    assertThat(rows().count("process_instance")).isEqualTo(processes);
    assertThat(rows().count("process_log")).isEqualTo(log);
    published().assertNone();
  }

  @Test
  void aHandlerThatThrowsRollsBackItsRowsAndItsMessages() {
    long processes = rows().count("process_instance");
    long commands = rows().count("command");
    UUID processId = service().place("o3", 101, false);
    drain();

    assertThat(process(processId).status()).isEqualTo(ProcessStatus.FAILED);
    assertThat(rows().count("process_instance"))
        .as("none of what the handler started")
        .isEqualTo(processes + 1);
    assertThat(rows().count("command"))
        .as("the step and the audit, none of what the handler accepted")
        .isEqualTo(commands + 2);
    assertThat(rows().names("orders")).doesNotContain("inner-o3");
    assertThat(rows().names("orders")).contains("o3");
    assertThat(rows().names("reservations")).doesNotContain("o3");
    assertThat(published().to("orders")).extracting(Message::type).containsExactly("OrderPlaced");
  }

  private ProcessInstance process(UUID id) {
    return application
        .getBean(ProcessManager.class)
        .getProcessRepository()
        .findById(id)
        .orElseThrow();
  }

  private OrderService service() {
    return application.getBean(OrderService.class);
  }

  private OrderRows rows() {
    return application.getBean(OrderRows.class);
  }

  private PublishedMessages published() {
    return application.getBean(PublishedMessages.class);
  }

  private void drain() {
    int unused = application.getBean(PostroadDrain.class).now();
  }
}
