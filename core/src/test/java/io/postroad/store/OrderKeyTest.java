package io.postroad.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderKeyTest {

  /** Messages that are stored already were put into these lanes: the answers may never change. */
  @ParameterizedTest
  @CsvSource({"customer-1, 4, 3", "customer-2, 4, 0", "zażółć, 128, 4", "'', 16, 8"})
  void theLaneOfAKeyIsFixedForEver(String key, int lanes, int lane) {
    assertThat(new OrderKey("orders", "key/" + key).lane(lanes)).isEqualTo(lane);
  }

  @Test
  void oneLaneTakesEverything() {
    assertThat(new OrderKey("orders", "key/any").lane(1)).isZero();
  }

  @Test
  void theDestinationDoesNotChangeTheLaneButTheKeyOfOrder() {
    OrderKey here = new OrderKey("here", "key/a");
    OrderKey there = new OrderKey("there", "key/a");

    assertThat(here.lane(64)).isEqualTo(there.lane(64));
    assertThat(here).isNotEqualTo(there);
  }

  @Test
  void aMessageWithoutAKeyWaitsForNobody() {
    Message one = Message.event("A").to("orders").json("{}").build();
    Message two = Message.event("A").to("orders").json("{}").build();

    assertThat(OrderKey.of(one)).isNotEqualTo(OrderKey.of(two)).isEqualTo(OrderKey.of(one));
  }
}
