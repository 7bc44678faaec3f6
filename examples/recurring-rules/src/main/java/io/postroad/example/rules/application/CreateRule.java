package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.Description;
import io.postroad.example.rules.domain.RuleOrigin;
import io.postroad.example.rules.domain.RuleTerms;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request for a new rule.
 *
 * @param idempotencyKey the same for a repeated request; null if the request is never repeated
 */
public record CreateRule(RuleOrigin origin, RuleTerms terms, @Nullable String idempotencyKey) {

  /**
   * Returns a fingerprint of the rule, which does not depend on the form of the request. Detects
   * repeated requests.
   */
  String fingerprint() {
    @Nullable Description description = terms.description();
    // No text of a rule has a control character.
    String all =
        List.<Object>of(
                origin.cashFlowId().id(),
                origin.userId().getId(),
                origin.type(),
                origin.startDate(),
                terms.name().value(),
                description == null ? "" : description.value(),
                terms.baseAmount().amount(),
                terms.baseAmount().currency(),
                terms.categoryName().name(),
                new TreeMap<>(terms.recurrencePattern().fields()),
                String.valueOf(terms.endDate()))
            .stream()
            .map(String::valueOf)
            .collect(Collectors.joining("\0"));
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(all.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
