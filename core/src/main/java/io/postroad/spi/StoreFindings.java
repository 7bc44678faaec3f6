package io.postroad.spi;

import io.postroad.schema.SchemaException;
import io.postroad.store.Finding;
import java.util.Optional;

/** What several stores find, in one wording. */
public final class StoreFindings {
  private StoreFindings() {}

  /** Messages whose lease has expired and that nobody took again. */
  public static Finding expiredLeases(String owner, long messages) {
    return Finding.problem(
        "expired-leases",
        "%d message(s) were claimed by %s, whose leases have expired, and nobody has claimed them"
                .formatted(messages, owner)
            + " again",
        "look whether a relay runs at all; the next claim takes them by itself");
  }

  /**
   * A lane that nobody owns.
   *
   * @param lastNode who let its lease expire; empty when it was released, or never taken
   */
  public static Finding laneWithoutOwner(int lane, Optional<String> lastNode) {
    return Finding.problem(
        "lane-without-owner",
        "lane %d has no owner%s"
            .formatted(
                lane, lastNode.map(node -> ", %s let its lease expire".formatted(node)).orElse("")),
        "start a relay; one that runs takes a free lane within a second");
  }

  /** A transaction that has been open for long. */
  public static Finding oldTransaction(String who, String consequence) {
    return Finding.warning(
        "old-transaction", who, "end it, or find out why it stays open: " + consequence);
  }

  /** A part of the schema that is missing or does not fit. */
  public static Finding schema(SchemaException refused) {
    return Finding.problem("schema", String.valueOf(refused.getMessage()), "as the text says");
  }
}
