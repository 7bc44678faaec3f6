package io.postroad.spring.boot;

import io.postroad.process.ProcessOptions;
import io.postroad.process.StartPolicy;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

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
    @DefaultValue("1s") Duration timersEvery,
    @DefaultValue("5m") Duration quietFor,
    @DefaultValue("30d") Duration retention,
    @DefaultValue("refuse") StartPolicy startPolicy) {

  ProcessOptions options() {
    return ProcessOptions.defaults()
        .withTimersEvery(timersEvery)
        .withQuietFor(quietFor)
        .withRetention(retention)
        .withStartPolicy(startPolicy);
  }
}
