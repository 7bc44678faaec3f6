package io.postroad.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.spi.hint.Batches;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a list is divided into what a database takes at once. */
class BatchesTest {
  private static final long HALF = Batches.MAX_BYTES / 2;

  private final List<List<Integer>> written = new ArrayList<>();
  private final List<Boolean> lasts = new ArrayList<>();

  @Test
  void aBatchIsFullAtItsSizeInBytes() {
    assertThat(Batches.split(List.of(1, 2, 3, 4, 5), each -> HALF))
        .containsExactly(List.of(1, 2), List.of(3, 4), List.of(5));
  }

  @Test
  void anElementThatIsLargerGoesAlone() {
    assertThat(Batches.split(List.of(1, 2, 3), each -> each == 2 ? 3 * HALF : 1))
        .containsExactly(List.of(1), List.of(2), List.of(3));
  }

  @Test
  void nothingIsOneEmptyBatchSoThatTheLastPartIsAlwaysWritten() {
    write(List.of(), Integer.MAX_VALUE);

    assertThat(written).containsExactly(List.of());
    assertThat(lasts).containsExactly(true);
  }

  @Test
  void aRefusedBatchIsWrittenInHalvesInOrderAndOnlyTheVeryLastIsTheLast() {
    write(List.of(1, 2, 3, 4, 5), 1);

    assertThat(written).containsExactly(List.of(1), List.of(2), List.of(3), List.of(4), List.of(5));
    assertThat(lasts).containsExactly(false, false, false, false, true);
  }

  @Test
  void aSingleElementThatIsRefusedIsAnError() {
    assertThatThrownBy(() -> write(List.of(1, 2), 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anotherFailureIsNotTriedAgain() {
    assertThatThrownBy(
            () ->
                Batches.write(
                    List.of(1, 2),
                    each -> 1,
                    IllegalStateException.class::isInstance,
                    (part, last) -> {
                      written.add(part);
                      throw new IllegalArgumentException("down");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(written).hasSize(1);
  }

  private void write(List<Integer> all, int takes) {
    Batches.write(
        all,
        each -> 1,
        IllegalStateException.class::isInstance,
        (part, last) -> {
          if (part.size() > takes) {
            throw new IllegalStateException("too large");
          }
          written.add(part);
          lasts.add(last);
        });
  }
}
