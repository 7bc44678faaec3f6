package io.postroad.spi;

import io.postroad.schema.SchemaException;
import io.postroad.store.Finding;
import java.util.Optional;

/** The findings that several stores have, in one wording. */
public final class StoreFindings {
  private StoreFindings() {}

  /** Returns the finding for messages whose lease has expired. */
  public static Finding expiredLeases(String owner, long messages) {
    return Finding.problem(
        "expired-leases",
        "%d message(s) were claimed by %s, whose leases have expired, and no node has claimed them"
                .formatted(messages, owner)
            + " again",
        "look whether a relay runs at all; the next claim takes them by itself");
  }

  /**
   * Returns the finding for a lane without an owner.
   *
   * @param lastNode the node that let its lease expire; empty when it was released, or never taken
   */
  public static Finding laneWithoutOwner(int lane, Optional<String> lastNode) {
    return Finding.problem(
        "lane-without-owner",
        "lane %d has no owner%s"
            .formatted(
                lane, lastNode.map(node -> ", %s let its lease expire".formatted(node)).orElse("")),
        "start a relay; one that runs takes a free lane within a second");
  }

  /** Returns the finding for a transaction that has been open for long. */
  public static Finding oldTransaction(String session, String consequence) {
    return Finding.warning(
        "old-transaction", session, "end it, or find out why it stays open: " + consequence);
  }

  /** Returns the finding for a part of the schema that is missing or does not fit. */
  public static Finding schema(SchemaException refused) {
    return Finding.problem("schema", String.valueOf(refused.getMessage()), "as the text says");
  }
}
