package io.postroad.spi.process;

import java.util.Optional;

/**
 * The part of a process that people and queries read. Immutable.
 *
 * @param status RUNNING, SUCCEEDED, COMPENSATING, COMPENSATED or FAILED
 * @param isActive whether the process has not ended
 * @param isPaused whether the process begins no new step
 * @param currentStep the step that it is at; at most 255 characters
 * @param retries the number of retries of the current step
 * @param failureKind the reason why the process is undone or has failed, one word
 * @param failure the same reason as a sentence; at most 4,000 characters
 */
public record ProcessSummary(
    String status,
    boolean isActive,
    boolean isPaused,
    String currentStep,
    int retries,
    Optional<String> failureKind,
    Optional<String> failure) {}
