package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventStreamTest {

  @Test
  void everyContenderGetsTheSameEvents() {
    assertThat(events(3, 500)).isEqualTo(events(3, 500));
  }

  @Test
  void everyFourthEventIsInABurstOnOneKey() {
    List<Integer> keys = events(0, 100).stream().map(Event::keyNumber).toList();

    assertThat(new HashSet<>(keys.subList(75, 100))).hasSize(1);
    assertThat(new HashSet<>(keys.subList(0, 75))).hasSizeGreaterThan(40);
  }

  @Test
  void allKeysAreUsedAndNoneByTwoWriters() {
    Set<Integer> all = new HashSet<>();
    int sum = 0;
    for (int writer = 0; writer < Writers.COUNT; writer++) {
      Set<Integer> keys = new HashSet<>();
      events(writer, 10_000).forEach(event -> keys.add(event.keyNumber()));
      all.addAll(keys);
      sum += keys.size();
    }
    assertThat(all).hasSize(EventStream.KEYS);
    assertThat(sum).isEqualTo(EventStream.KEYS);
  }

  @Test
  void anEventHasAbout300BytesAndIsReadBackFromItsRecord() {
    Event event = new Event(42, 1_234);
    byte[] payload = event.payload().getBytes(StandardCharsets.UTF_8);

    assertThat(payload.length).isBetween(280, 320);
    assertThat(Event.received(event.key().getBytes(StandardCharsets.UTF_8), payload))
        .isEqualTo(event);
  }

  @Test
  void hotEventsShareAKeyAndNameTheirWriter() {
    Event event = Event.hot(5, 1_234);
    Event other = Event.hot(3, 1_234);

    assertThat(event.key()).isEqualTo(other.key());
    assertThat(received(event)).isEqualTo(event).isNotEqualTo(received(other));
  }

  private static Event received(Event event) {
    return Event.received(
        event.key().getBytes(StandardCharsets.UTF_8),
        event.payload().getBytes(StandardCharsets.UTF_8));
  }

  private static List<Event> events(int writer, int count) {
    return Stream.generate(new EventStream(writer, Writers.COUNT)::next).limit(count).toList();
  }
}
