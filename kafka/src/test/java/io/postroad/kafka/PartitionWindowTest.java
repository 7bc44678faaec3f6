package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.kafka.PartitionWindow.Slot;
import org.junit.jupiter.api.Test;

class PartitionWindowTest {
  private final PartitionWindow window = new PartitionWindow();

  private void dealWith(Slot slot) {
    assertThat(window.begin()).isTrue();
    window.end(slot, true);
  }

  @Test
  void theOffsetToCommitStopsAtTheFirstThatIsNotDealtWith() {
    Slot first = window.add(10);
    Slot second = window.add(11);
    Slot third = window.add(15);
    assertThat(window.toCommit()).isEmpty();

    dealWith(third);
    assertThat(window.toCommit()).isEmpty();
    dealWith(first);
    assertThat(window.toCommit()).hasValue(11);
    dealWith(second);
    assertThat(window.toCommit()).hasValue(16);

    window.committed(16);
    assertThat(window.toCommit()).isEmpty();
  }

  @Test
  void aRecordThatWasNotDealtWithIsNotPassed() {
    Slot first = window.add(0);
    Slot second = window.add(1);
    assertThat(window.begin()).isTrue();

    window.end(first, false);
    dealWith(second);

    assertThat(window.toCommit()).isEmpty();
    assertThat(window.size()).isEqualTo(2);
  }

  @Test
  void whatIsNoRecordIsPassedWhenNothingIsLeft() {
    Slot first = window.add(0);
    window.polledUpTo(3);
    assertThat(window.toCommit()).isEmpty();

    dealWith(first);
    window.polledUpTo(3);

    assertThat(window.toCommit()).hasValue(3);
  }

  @Test
  void aClosedWindowBeginsNothingMore() {
    window.add(0);
    window.close();
    assertThat(window.begin()).isFalse();
    assertThat(window.isGivenUp()).isFalse();
    window.giveUp();
    assertThat(window.isGivenUp()).isTrue();
  }
}
