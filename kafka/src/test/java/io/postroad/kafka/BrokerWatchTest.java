package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BrokerWatchTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong heard = new AtomicLong(100);
  private final BrokerWatch watch =
      new BrokerWatch("receiver", heard::get, Duration.ofSeconds(10), nanos::get);

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      watch.check();
    }
  }

  @Test
  void aBrokerIsSilentAfterTenSecondsWithoutAByteUntilTheNextByte() {
    pass(10);
    assertThat(watch.isSilent()).isFalse();
    pass(1);
    assertThat(watch.isSilent()).isTrue();

    heard.incrementAndGet();
    pass(1);
    assertThat(watch.isSilent()).isFalse();
  }

  @Test
  void aBrokerThatAnswersIsNeverSilent() {
    for (int i = 0; i < 30; i++) {
      heard.incrementAndGet();
      pass(5);
      assertThat(watch.isSilent()).isFalse();
    }
  }
}
