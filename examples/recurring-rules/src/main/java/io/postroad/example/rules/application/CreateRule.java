package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.RuleOrigin;
import io.postroad.example.rules.domain.RuleTerms;
import org.jspecify.annotations.Nullable;

/**
 * What a new rule is to be.
 *
 * @param idempotencyKey the same when it is asked for again; null if it never is
 */
public record CreateRule(RuleOrigin origin, RuleTerms terms, @Nullable String idempotencyKey) {}
