package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InFlightLimitTest {
  @Test
  void isFullIfAnotherPollMightNotFitAndHasRoomWhenHalfIsFree() {
    InFlightLimit inFlight = new InFlightLimit(10, 1_000, 4);
    for (int i = 0; i < 6; i++) {
      assertThat(inFlight.isFull()).isFalse();
      inFlight.add(1);
    }
    assertThat(inFlight.isFull()).isFalse();
    inFlight.add(1);
    assertThat(inFlight.isFull()).as("7 and a poll of 4 exceed 10").isTrue();

    for (int i = 0; i < 3; i++) {
      inFlight.remove(1);
      assertThat(inFlight.hasRoom()).isFalse();
    }
    inFlight.remove(1);
    assertThat(inFlight.hasRoom()).isTrue();
  }

  @Test
  void bytesAreLimited() {
    InFlightLimit inFlight = new InFlightLimit(10, 1_000, 1);
    inFlight.add(1_001);
    assertThat(inFlight.isFull()).isTrue();
    assertThat(inFlight.hasRoom()).isFalse();
    inFlight.remove(1_001);
    assertThat(inFlight.hasRoom()).isTrue();
  }
}
