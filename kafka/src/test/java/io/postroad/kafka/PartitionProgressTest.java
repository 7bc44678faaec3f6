package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.kafka.PartitionProgress.PolledRecord;
import org.junit.jupiter.api.Test;

class PartitionProgressTest {
  private final PartitionProgress progress = new PartitionProgress();

  private void finish(PolledRecord polled) {
    assertThat(progress.begin()).isTrue();
    progress.end(polled, true);
  }

  @Test
  void theOffsetToCommitIsThatOfTheFirstUnfinishedRecord() {
    PolledRecord first = progress.add(10);
    PolledRecord second = progress.add(11);
    PolledRecord third = progress.add(15);
    assertThat(progress.toCommit()).isEmpty();

    finish(third);
    assertThat(progress.toCommit()).isEmpty();
    finish(first);
    assertThat(progress.toCommit()).hasValue(11);
    finish(second);
    assertThat(progress.toCommit()).hasValue(16);

    progress.committed(16);
    assertThat(progress.toCommit()).isEmpty();
  }

  @Test
  void anUnfinishedRecordIsNotPassed() {
    PolledRecord first = progress.add(0);
    PolledRecord second = progress.add(1);
    assertThat(progress.begin()).isTrue();

    progress.end(first, false);
    finish(second);

    assertThat(progress.toCommit()).isEmpty();
    assertThat(progress.size()).isEqualTo(2);
  }

  @Test
  void positionsWithoutARecordArePassedWhenNoRecordIsPending() {
    PolledRecord first = progress.add(0);
    progress.polledUpTo(3);
    assertThat(progress.toCommit()).isEmpty();

    finish(first);
    progress.polledUpTo(3);

    assertThat(progress.toCommit()).hasValue(3);
  }

  @Test
  void noRecordBeginsAfterAClose() {
    progress.add(0);
    progress.close();
    assertThat(progress.begin()).isFalse();
    assertThat(progress.isAbandoned()).isFalse();
    progress.abandon();
    assertThat(progress.isAbandoned()).isTrue();
  }
}
