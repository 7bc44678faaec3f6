package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.postroad.framework.internal.settings.ProcessSettings;
import io.postroad.process.StartPolicy;
import java.time.Duration;

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
    @Bindable(defaultValue = "1s") Duration timersEvery,
    @Bindable(defaultValue = "5m") Duration quietFor,
    @Bindable(defaultValue = "30d") Duration retention,
    @Bindable(defaultValue = "REFUSE") StartPolicy startPolicy)
    implements ProcessSettings {}
