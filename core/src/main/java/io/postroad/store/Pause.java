package io.postroad.store;

import java.time.Instant;

/**
 * A destination that somebody has paused: nothing is sent to it until somebody resumes it.
 *
 * @param since by the database's clock
 * @param by who paused it
 */
public record Pause(String destination, Instant since, String by, String reason) {}
