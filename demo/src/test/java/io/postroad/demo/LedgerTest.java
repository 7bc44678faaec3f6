package io.postroad.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.OutboxSignal.Subject;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private final Ledger ledger = new Ledger();
  private final UUID first = UUID.randomUUID();
  private final UUID second = UUID.randomUUID();

  @Test
  void everyCommittedEventSeenOnceIsOk() {
    ledger.committed(first);
    ledger.committed(second);
    ledger.seen(first, order(1));
    ledger.seen(second, order(2));

    assertThat(ledger.atTheEnd()).isEqualTo(new Counts(2, 2, 0, 0, 0, 0, 0));
    assertThat(ledger.atTheEnd().ok()).isTrue();
    assertThat(ledger.atTheEnd().summary())
        .isEqualTo("committed=2 delivered=2 lost=0 out-of-order=0 duplicates=0");
  }

  @Test
  void aCommittedEventThatWasNotSeenIsLostAndNotOk() {
    ledger.committed(first);
    ledger.committed(second);
    ledger.seen(first, order(1));

    assertThat(ledger.atTheEnd().lost()).isEqualTo(1);
    assertThat(ledger.atTheEnd().ok()).isFalse();
    assertThat(ledger.missing(5)).containsExactly(second);
  }

  @Test
  void anEventOfARolledBackOrderIsAPhantomAndNotOk() {
    ledger.rolledBack(first);
    ledger.seen(first, order(1));

    assertThat(ledger.now().phantoms()).isEqualTo(1);
    assertThat(ledger.atTheEnd().phantoms()).isEqualTo(1);
    assertThat(ledger.atTheEnd().ok()).isFalse();
  }

  @Test
  void anEventWithoutACommitIsAPhantomAtTheEnd() {
    ledger.seen(first, order(1));

    assertThat(ledger.now().ok()).as("its commit may not be recorded yet").isTrue();
    assertThat(ledger.atTheEnd().ok()).isFalse();
  }

  @Test
  void duplicatesAreOk() {
    ledger.committed(first);
    ledger.seen(first, order(1));
    ledger.seen(first, order(1));

    assertThat(ledger.atTheEnd()).isEqualTo(new Counts(1, 1, 0, 0, 1, 0, 0));
    assertThat(ledger.atTheEnd().ok()).isTrue();
  }

  @Test
  void onlyFirstOccurrencesPerCustomerCountForOrder() {
    UUID third = UUID.randomUUID();
    ledger.seen(second, order(2));
    ledger.seen(first, order(1));
    ledger.seen(first, order(1));
    ledger.seen(third, new Order(UUID.randomUUID(), "another", 1, 100));

    assertThat(ledger.now().outOfOrder()).isEqualTo(1);
  }

  @Test
  void anEventThatTheConsumerSkippedIsLostDuringTheRun() {
    ledger.committed(first);
    ledger.on(new OutboxSignal.Delivered(subject(first), 1, receipt(0, 7)));
    ledger.readUpTo(0, 7);
    assertThat(ledger.now().lost()).as("not read yet").isZero();

    ledger.readUpTo(0, 8);
    assertThat(ledger.now().lost()).isEqualTo(1);

    ledger.seen(first, order(1));
    assertThat(ledger.now().lost()).isZero();
  }

  @Test
  void aDeadLetterIsLostDuringTheRun() {
    ledger.committed(first);
    ledger.on(new OutboxSignal.Died(subject(first), 8, "refused"));

    assertThat(ledger.now().lost()).isEqualTo(1);
  }

  private static Order order(int number) {
    return new Order(UUID.randomUUID(), "customer", number, 100);
  }

  private static Subject subject(UUID event) {
    return new Subject(event, "OrderPlaced", OrderService.TOPIC);
  }

  private static Map<String, String> receipt(int partition, long offset) {
    return Map.of("partition", "" + partition, "offset", "" + offset);
  }
}
