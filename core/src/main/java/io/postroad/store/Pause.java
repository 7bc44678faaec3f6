package io.postroad.store;

import java.time.Instant;

/**
 * A destination that an operator has paused: no message is sent to it until an operator resumes it.
 *
 * @param since by the database's clock
 * @param by the operator
 */
public record Pause(String destination, Instant since, String by, String reason) {}
