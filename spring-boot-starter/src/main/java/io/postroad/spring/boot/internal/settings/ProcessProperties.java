package io.postroad.spring.boot.internal.settings;

import io.postroad.framework.internal.settings.ProcessSettings;
import io.postroad.process.StartPolicy;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of processes.
 *
 * @param timersEvery longest time between two polls for timers
 * @param quietFor after how long without a change a process is checked
 * @param retention how long completed processes are kept, with their logs
 * @param startPolicy what a second start with an active business key does: refuse, return_active or
 *     allow
 */
@ConfigurationProperties("postroad.processes")
public record ProcessProperties(
    @DefaultValue("1s") Duration timersEvery,
    @DefaultValue("5m") Duration quietFor,
    @DefaultValue("30d") Duration retention,
    @DefaultValue("refuse") StartPolicy startPolicy)
    implements ProcessSettings {}
