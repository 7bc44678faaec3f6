package io.postroad.micronaut.internal.wiring;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts all parts with the application, before its server, and stops them with it, after its
 * server, so that messages of the last requests are still sent. A part that cannot start keeps the
 * application from starting; it and the parts that run are stopped then.
 */
public final class Parts {
  private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

  private final List<Part> all;
  private final Deque<Part> running = new ArrayDeque<>();

  public Parts(List<Part> all) {
    this.all = all.stream().sorted(Comparator.comparing(Part::phase)).toList();
  }

  public synchronized void start() {
    for (Part part : all) {
      // Before the start: a part that fails half-way may have something to stop.
      running.push(part);
      try {
        part.start().run();
      } catch (RuntimeException | Error failed) {
        stop();
        throw failed;
      }
      LOG.debug("micronaut: started part={}", part.name());
    }
  }

  public synchronized void stop() {
    while (!running.isEmpty()) {
      Part part = running.pop();
      try {
        part.stop().run();
        LOG.debug("micronaut: stopped part={}", part.name());
      } catch (RuntimeException | Error failed) {
        LOG.warn("micronaut: could not stop part={}; the others are", part.name(), failed);
      }
    }
  }
}
