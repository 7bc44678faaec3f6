package io.postroad.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How many messages a poll asks for. */
class BatchSizeTest {
  private static final long SMALL = 100;
  private static final long MEGABYTE = 1 << 20;

  private final BatchSize size = new BatchSize(100, 1_000);

  private void come(int got, long bytesEach) {
    size.adapt(size.current(), got, got * bytesEach);
  }

  @Test
  void fullPollsDoubleItUpToTheLargest() {
    come(100, SMALL);
    assertThat(size.current()).isEqualTo(200);
    come(200, SMALL);
    come(400, SMALL);
    come(800, SMALL);
    assertThat(size.current()).isEqualTo(1_000);
  }

  @Test
  void onePollThatIsNotFullBeginsAnew() {
    come(100, SMALL);
    come(199, SMALL);
    assertThat(size.current()).isEqualTo(100);
  }

  @Test
  void largeMessagesComeInSmallBatches() {
    come(100, MEGABYTE);

    assertThat(size.current()).isEqualTo(8);
    assertThat(size.most()).isEqualTo(8);
    come(8, 100 * MEGABYTE);
    assertThat(size.current()).as("never none").isEqualTo(1);
  }

  @Test
  void smallOnesAfterLargeOnesComeInLargeBatchesAgain() {
    come(100, MEGABYTE);
    come(8, SMALL);

    assertThat(size.most()).isEqualTo(1_000);
    assertThat(size.current()).isGreaterThanOrEqualTo(100);
  }

  @Test
  void anEmptyPollSaysNothingAboutTheirSize() {
    come(100, MEGABYTE);
    size.adapt(8, 0, 0);

    assertThat(size.most()).isEqualTo(8);
  }

  @Test
  void aPollThatFailedIsFollowedByOneMessage() {
    size.failed();

    assertThat(size.current()).isEqualTo(1);
    come(1, SMALL);
    assertThat(size.current()).isEqualTo(2);
    come(1, SMALL);
    assertThat(size.current()).isEqualTo(100);
  }

  @Test
  void aBatchCutShortByRoomDoesNotGrow() {
    size.adapt(10, 10, SMALL);

    assertThat(size.current()).isEqualTo(100);
  }
}
