package io.postroad.framework.internal.settings;

import io.postroad.process.ProcessOptions;
import io.postroad.process.StartPolicy;
import java.time.Duration;

/** The properties {@code postroad.processes.*}. */
public interface ProcessSettings {
  Duration timersEvery();

  Duration quietFor();

  Duration retention();

  StartPolicy startPolicy();

  default ProcessOptions options() {
    return ProcessOptions.defaults()
        .withTimersEvery(timersEvery())
        .withQuietFor(quietFor())
        .withRetention(retention())
        .withStartPolicy(startPolicy());
  }
}
