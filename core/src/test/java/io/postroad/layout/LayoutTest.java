package io.postroad.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LayoutTest {
  private static Layout layout() {
    return Layout.of("l", "t", Statuses.of("NEW", "SENT", "DEAD"))
        .with(Field.ID, "id")
        .with(Field.PAYLOAD, "body");
  }

  @Test
  void aTypeIsTheDestinationUnlessTold() {
    assertThat(layout().fallback(Field.TYPE)).contains(Fallback.to(Field.DESTINATION));
  }

  @Test
  void fallbacksNeverLeadInACircle() {
    Layout layout = layout().with(Field.DESTINATION, Fallback.to("events.", Field.TYPE));

    assertThat(layout.fallback(Field.DESTINATION)).isPresent();
    assertThat(layout.fallback(Field.TYPE)).isEmpty();
    Layout longer =
        layout()
            .with(Field.DESTINATION, Fallback.to(Field.AGGREGATE_TYPE))
            .with(Field.AGGREGATE_TYPE, Fallback.to(Field.TYPE));
    assertThat(longer.fallback(Field.AGGREGATE_TYPE)).isPresent();
    assertThat(longer.fallback(Field.TYPE)).isPresent();
    assertThat(longer.fallback(Field.DESTINATION)).as("it would lead back").isEmpty();
    assertThat(layout().with(Field.TYPE, Fallback.to(Field.TYPE)).fallback(Field.TYPE)).isEmpty();
  }

  @Test
  void aLayoutMustSayEnough() {
    assertThatThrownBy(() -> layout().checked())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DESTINATION");
    assertThatThrownBy(
            () -> Layout.of("l", "t", Statuses.of("A", "B", "C")).with(Field.ID, "id").checked())
        .hasMessageContaining("PAYLOAD");
    assertThatThrownBy(() -> layout().with(Field.DESTINATION, "body").checked())
        .hasMessageContaining("two fields");
  }

  @Test
  void wrongValuesAreRefused() {
    assertThatThrownBy(() -> Statuses.of("A", "A", "B")).hasMessageContaining("same word");
    assertThatThrownBy(() -> Statuses.of("A", " ", "B")).hasMessageContaining("blank");
    assertThatThrownBy(() -> layout().withExecutions(0)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> layout().withMinAge(Duration.ofSeconds(-1)))
        .hasMessageContaining("minAge");
    assertThatThrownBy(() -> layout().with(Field.KEY, " ")).hasMessageContaining("blank");
  }

  @Test
  void aChangedLayoutLeavesTheFirstAsItWas() {
    Layout first = layout();
    Layout second = first.withOrdered(true).with(Field.KEY, "k").withTable("u");

    assertThat(first.ordered()).isFalse();
    assertThat(first.column(Field.KEY)).isEmpty();
    assertThat(first).isNotEqualTo(second).isEqualTo(layout());
  }
}
