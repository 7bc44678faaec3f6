package io.postroad.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NamesakesTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final AtomicLong nanos = new AtomicLong();
  private final Namesakes namesakes = new Namesakes("a/1", LEASE, nanos::get);

  @Test
  void anotherNodeOfTheNameIsToldOnceItOutlivesALease() {
    assertThat(namesakes.see(List.of("a/1", "a/2", "ab/3", "b/4"))).isEmpty();

    nanos.addAndGet(LEASE.multipliedBy(3).toNanos());
    assertThat(namesakes.see(List.of("a/1", "a/2", "ab/3", "b/4"))).contains("a/2");
    assertThat(namesakes.see(List.of("a/1", "a/2", "ab/3", "b/4"))).isEmpty();
  }

  @Test
  void anEarlierStartOfTheNodeIsNotTold() {
    assertThat(namesakes.see(List.of("a/0", "a/1"))).isEmpty();

    nanos.addAndGet(LEASE.toNanos());
    assertThat(namesakes.see(List.of("a/1"))).isEmpty();
    nanos.addAndGet(LEASE.multipliedBy(3).toNanos());
    assertThat(namesakes.see(List.of("a/0", "a/1"))).as("its time begins anew").isEmpty();
  }
}
