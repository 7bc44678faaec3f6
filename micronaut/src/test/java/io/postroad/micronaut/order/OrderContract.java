package io.postroad.micronaut.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessRepository;
import io.postroad.process.ProcessStatus;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is one transaction with {@code @Transactional} methods; the same on both databases. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OrderContract {
  private final ApplicationContext application;

  OrderContract(ApplicationContext application) {
    this.application = application;
  }

  @AfterAll
  void stop() {
    application.close();
  }

  @Test
  void aProcessRunsThroughTheHandlersOfBeans() throws Exception {
    UUID process = service().place("o1", 1, false);
    signals().awaitEnd(process);

    assertThat(process(process).status()).isEqualTo(ProcessStatus.SUCCEEDED);
    assertThat(rows().ids("orders")).contains("o1");
    assertThat(rows().ids("reservations")).contains("o1");
    assertThat(rows().ids("shipments")).contains("o1");
    assertThat(sentUpTo("OrderShipped o1"))
        .containsSubsequence("OrderPlaced o1", "StockReserved o1", "OrderShipped o1");
  }

  @Test
  void aRollbackTakesCommandOutboxAndProcessRowsWithIt() throws Exception {
    settle();
    long commands = rows().count("command");
    long processes = rows().count("process_instance");
    long log = rows().count("process_log");

    assertThatThrownBy(() -> service().place("o2", 1, true)).hasMessage("changed my mind");

    assertThat(rows().ids("orders")).doesNotContain("o2");
    assertThat(rows().count("command")).isEqualTo(commands);
    assertThat(rows().count("process_instance")).isEqualTo(processes);
    assertThat(rows().count("process_log")).isEqualTo(log);
    settle();
    assertThat(sent()).doesNotContain("OrderPlaced o2");
    assertThat(rows().ids("audits")).doesNotContain("o2");
  }

  @Test
  void aHandlerThatThrowsRollsBackItsRowsAndItsMessages() throws Exception {
    settle();
    long processes = rows().count("process_instance");
    UUID process = service().place("o3", 101, false);
    signals().awaitEnd(process);

    assertThat(process(process).status()).isEqualTo(ProcessStatus.FAILED);
    assertThat(rows().count("process_instance"))
        .as("none of what the handler started")
        .isEqualTo(processes + 1);
    assertThat(rows().ids("orders")).contains("o3").doesNotContain("inner-o3");
    assertThat(rows().ids("reservations")).doesNotContain("o3");
    settle();
    assertThat(sent())
        .contains("OrderPlaced o3")
        .doesNotContain("StockReserved o3", "OrderPlaced inner-o3");
    assertThat(rows().ids("audits")).doesNotContain("inner-o3");
  }

  /** Another order after it has been sent: the lane is in order, so all before it was, too. */
  private void settle() throws Exception {
    String id = "later-" + UUID.randomUUID();
    signals().awaitEnd(service().place(id, 1, false));
    List<String> unused = sentUpTo("OrderShipped " + id);
  }

  private List<String> sentUpTo(String last) throws Exception {
    return signals()
        .sentOnceThereIs(message -> last.equals(message.type() + " " + message.key().orElse("")));
  }

  private List<String> sent() throws Exception {
    return signals().sentOnceThereIs(message -> true);
  }

  private ProcessInstance process(UUID id) {
    return application.getBean(ProcessRepository.class).findById(id).orElseThrow();
  }

  private OrderService service() {
    return application.getBean(OrderService.class);
  }

  private OrderRows rows() {
    return application.getBean(OrderRows.class);
  }

  private OrderSignals signals() {
    return application.getBean(OrderSignals.class);
  }
}
