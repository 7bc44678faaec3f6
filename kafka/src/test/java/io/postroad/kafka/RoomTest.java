package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoomTest {
  @Test
  void anotherPollMustFitAndHalfMustBeFreeToGoOn() {
    Room room = new Room(10, 1_000, 4);
    for (int i = 0; i < 6; i++) {
      assertThat(room.isFull()).isFalse();
      room.take(1);
    }
    assertThat(room.isFull()).isFalse();
    room.take(1);
    assertThat(room.isFull()).as("7 and a poll of 4 are more than 10").isTrue();

    for (int i = 0; i < 3; i++) {
      room.leave(1);
      assertThat(room.isAmple()).isFalse();
    }
    room.leave(1);
    assertThat(room.isAmple()).isTrue();
  }

  @Test
  void bytesCountToo() {
    Room room = new Room(10, 1_000, 1);
    room.take(1_001);
    assertThat(room.isFull()).isTrue();
    assertThat(room.isAmple()).isFalse();
    room.leave(1_001);
    assertThat(room.isAmple()).isTrue();
  }
}
