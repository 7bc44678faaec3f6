package io.postroad.faults;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Compares the sent messages with the rows that handlers wrote.
 *
 * @param sent how many messages
 * @param missing sent and without effect
 * @param phantoms effects of what was not sent
 * @param repeated effects beyond the first of a message
 * @param outOfOrder effects of messages that did not find exactly those before them of their key
 */
record EffectFindings(
    int sent, Set<UUID> missing, Set<UUID> phantoms, int repeated, int outOfOrder) {

  static EffectFindings of(Set<UUID> sent, List<Effect> effects) {
    Set<UUID> seen = new HashSet<>();
    int outOfOrder = 0;
    for (Effect effect : effects) {
      seen.add(effect.message());
      if (effect.before() != effect.number() - 1) {
        outOfOrder++;
      }
    }
    return new EffectFindings(
        sent.size(),
        minus(sent, seen),
        minus(seen, sent),
        effects.size() - seen.size(),
        outOfOrder);
  }

  private static Set<UUID> minus(Set<UUID> these, Set<UUID> those) {
    Set<UUID> rest = new HashSet<>(these);
    rest.removeAll(those);
    return Set.copyOf(rest);
  }

  /** Whether each message had its effect once. */
  boolean once() {
    return missing.isEmpty() && phantoms.isEmpty() && repeated == 0;
  }

  /** {@link #once()}, and those of a key one after the other in their order. */
  boolean onceInOrder() {
    return once() && outOfOrder == 0;
  }

  @Override
  public String toString() {
    return "sent=%d missing=%d phantoms=%d repeated=%d out-of-order=%d"
        .formatted(sent, missing.size(), phantoms.size(), repeated, outOfOrder);
  }
}
