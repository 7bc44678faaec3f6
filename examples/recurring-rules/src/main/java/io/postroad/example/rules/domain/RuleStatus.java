package io.postroad.example.rules.domain;

import java.util.Set;

/**
 * The life of a rule.
 *
 * <pre>
 * ACTIVE  --pause---> PAUSED, --last date done--> COMPLETED, --delete--> DELETED
 * PAUSED  --resume--> ACTIVE, --delete--> DELETED
 * COMPLETED --delete--> DELETED --90 days--> (gone)
 * </pre>
 */
public enum RuleStatus {
  ACTIVE,
  PAUSED,
  COMPLETED,
  DELETED;

  public boolean canBecome(RuleStatus next) {
    return next().contains(next);
  }

  /** Returns whether the terms may still be changed. */
  public boolean isOpen() {
    return this == ACTIVE || this == PAUSED;
  }

  private Set<RuleStatus> next() {
    return switch (this) {
      case ACTIVE -> Set.of(PAUSED, COMPLETED, DELETED);
      case PAUSED -> Set.of(ACTIVE, DELETED);
      case COMPLETED -> Set.of(DELETED);
      case DELETED -> Set.of();
    };
  }
}
