package io.postroad.spring.boot.traced;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The spans that have ended. Safe to use from many threads. */
final class EndedSpans implements SpanProcessor {
  private static final long AT_MOST_NANOS = Duration.ofSeconds(90).toNanos();

  private final List<SpanData> ended = new ArrayList<>();

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {}

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public synchronized void onEnd(ReadableSpan span) {
    ended.add(span.toSpanData());
    notifyAll();
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  /** All spans, when those of all these names have ended; fails when they do not soon. */
  synchronized List<SpanData> await(Collection<String> names) throws InterruptedException {
    long deadline = System.nanoTime() + AT_MOST_NANOS;
    while (!names().containsAll(names)) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError("expected spans %s, got %s".formatted(names, names()));
      }
      wait(Math.max(1, left / 1_000_000));
    }
    return List.copyOf(ended);
  }

  /** What it names as the system that the message goes through. */
  static @Nullable String systemOf(SpanData span) {
    return span.getAttributes().get(AttributeKey.stringKey("messaging.system"));
  }

  private List<String> names() {
    return ended.stream().map(SpanData::getName).toList();
  }
}
