package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.postroad.process.ProcessOptions;
import io.postroad.process.StartPolicy;
import java.time.Duration;

/**
 * How processes are run.
 *
 * @param timersEvery how often timers are looked for
 * @param quietFor after how long without a change a process is looked at
 * @param retention how long processes that have ended are kept, and their logs
 * @param startPolicy what a second start with an active business key does: refuse, return_active or
 *     allow
 */
@ConfigurationProperties("postroad.processes")
public record ProcessProperties(
    @Bindable(defaultValue = "1s") Duration timersEvery,
    @Bindable(defaultValue = "5m") Duration quietFor,
    @Bindable(defaultValue = "30d") Duration retention,
    @Bindable(defaultValue = "REFUSE") StartPolicy startPolicy) {

  public ProcessOptions options() {
    return ProcessOptions.defaults()
        .withTimersEvery(timersEvery)
        .withQuietFor(quietFor)
        .withRetention(retention)
        .withStartPolicy(startPolicy);
  }
}
