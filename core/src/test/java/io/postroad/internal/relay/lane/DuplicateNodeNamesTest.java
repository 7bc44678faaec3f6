package io.postroad.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DuplicateNodeNamesTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final AtomicLong nanos = new AtomicLong();
  private final DuplicateNodeNames names = new DuplicateNodeNames("a/1", LEASE, nanos::get);

  @Test
  void anotherNodeOfTheNameIsReportedOnceItOutlivesALease() {
    assertThat(names.find(List.of("a/1", "a/2", "ab/3", "b/4"))).isEmpty();

    nanos.addAndGet(LEASE.multipliedBy(3).toNanos());
    assertThat(names.find(List.of("a/1", "a/2", "ab/3", "b/4"))).contains("a/2");
    assertThat(names.find(List.of("a/1", "a/2", "ab/3", "b/4"))).isEmpty();
  }

  @Test
  void anEarlierStartOfTheNodeIsNotReported() {
    assertThat(names.find(List.of("a/0", "a/1"))).isEmpty();

    nanos.addAndGet(LEASE.toNanos());
    assertThat(names.find(List.of("a/1"))).isEmpty();
    nanos.addAndGet(LEASE.multipliedBy(3).toNanos());
    assertThat(names.find(List.of("a/0", "a/1"))).as("its time begins anew").isEmpty();
  }
}
