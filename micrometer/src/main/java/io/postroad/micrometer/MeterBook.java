package io.postroad.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes and finds the meters of one registry. Safe to use from many threads.
 *
 * <p>Other services choose the types and destinations of messages that come in. So a meter has at
 * most about {@link #MOST_SERIES} combinations of tags, and counts further ones under {@code
 * other}.
 */
final class MeterBook {
  static final int MOST_SERIES = 1_000;
  static final String OTHER = "other";

  /** Replaces an empty value, which Prometheus treats as a missing tag. */
  private static final String NONE = "none";

  private final MeterRegistry registry;
  private final Map<PostroadMeter, Map<List<String>, Counter>> counters = new ConcurrentHashMap<>();
  private final Map<PostroadMeter, Map<List<String>, Timer>> timers = new ConcurrentHashMap<>();

  MeterBook(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Registers the counters and timers of an area before their first event, each with a series that
   * stays at zero, so that dashboards can tell zero from missing.
   *
   * @param area the beginning of their names
   * @param first the values of their first tags; the others are {@code none}
   */
  void introduce(String area, String... first) {
    for (PostroadMeter meter : PostroadMeter.values()) {
      boolean isGauge = meter.kind() == PostroadMeter.Kind.GAUGE;
      if (!isGauge && meter.meterName().startsWith(area + ".")) {
        List<String> values = new ArrayList<>(List.of(first));
        while (values.size() < meter.tags().size()) {
          values.add(NONE);
        }
        introduce(meter, values);
      }
    }
  }

  private void introduce(PostroadMeter meter, List<String> values) {
    if (meter.kind() == PostroadMeter.Kind.TIMER) {
      var unused = found(timers, meter, values, tags -> timer(meter, tags));
    } else {
      var unused = found(counters, meter, values, tags -> counter(meter, tags));
    }
  }

  void count(PostroadMeter meter, String... values) {
    add(meter, 1, values);
  }

  void add(PostroadMeter meter, double amount, String... values) {
    found(counters, meter, List.of(values), tags -> counter(meter, tags)).increment(amount);
  }

  void time(PostroadMeter meter, Duration took, String... values) {
    found(timers, meter, List.of(values), tags -> timer(meter, tags)).record(took);
  }

  /** Registers a gauge that holds its source strongly until it is removed. */
  Meter gauge(PostroadMeter meter, Supplier<Number> value, String... values) {
    return Gauge.builder(meter.meterName(), value)
        .description(meter.meaning())
        .tags(tags(meter, List.of(values)))
        .strongReference(true)
        .register(registry);
  }

  void remove(Meter meter) {
    Meter unused = registry.remove(meter);
  }

  private Counter counter(PostroadMeter meter, List<String> values) {
    return Counter.builder(meter.meterName())
        .description(meter.meaning())
        .tags(tags(meter, values))
        .register(registry);
  }

  private Timer timer(PostroadMeter meter, List<String> values) {
    return Timer.builder(meter.meterName())
        .description(meter.meaning())
        .tags(tags(meter, values))
        .register(registry);
  }

  private static <M> M found(
      Map<PostroadMeter, Map<List<String>, M>> all,
      PostroadMeter meter,
      List<String> values,
      Function<List<String>, M> make) {
    Map<List<String>, M> known = all.computeIfAbsent(meter, any -> new ConcurrentHashMap<>());
    M found = known.get(values);
    if (found != null) {
      return found;
    }
    List<String> kept =
        known.size() < MOST_SERIES ? values : Collections.nCopies(values.size(), OTHER);
    return known.computeIfAbsent(kept, make);
  }

  private static List<Tag> tags(PostroadMeter meter, List<String> values) {
    List<String> names = meter.tags();
    if (names.size() != values.size()) {
      throw new IllegalArgumentException(
          "meter '%s' has the tags %s, got %d values"
              .formatted(meter.meterName(), names, values.size()));
    }
    List<Tag> tags = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      String value = values.get(i);
      tags.add(Tag.of(names.get(i), value.isBlank() ? NONE : value));
    }
    return tags;
  }
}
