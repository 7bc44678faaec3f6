package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnknownTopicsTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final UnknownTopics topics = new UnknownTopics(nanos::get);

  @Test
  void aMissingTopicIsRefusedUntilItIsForgotten() {
    topics.add("orders");

    assertThat(topics.refusal("orders"))
        .hasMessage("topic orders did not exist less than 10 s ago");
    assertThat(topics.refusal("payments")).isNull();
    nanos.addAndGet(UnknownTopics.REMEMBERED_FOR.toNanos() - 1);
    assertThat(topics.refusal("orders")).isNotNull();
    nanos.incrementAndGet();
    assertThat(topics.refusal("orders")).isNull();
  }
}
