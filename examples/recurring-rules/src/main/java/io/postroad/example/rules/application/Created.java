package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.RecurringRule;

/**
 * The rule of a request.
 *
 * @param now false if an earlier request with the same key created it
 */
public record Created(RecurringRule rule, boolean now) {}
