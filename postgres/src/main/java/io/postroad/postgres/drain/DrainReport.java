package io.postroad.postgres.drain;

import java.util.List;

/**
 * What a run of a {@link PostgresDrain} did, and what it left in the other table.
 *
 * @param moved rows that are messages now
 * @param alreadyThere rows whose message was in the outbox before, so it was not appended again;
 *     they are marked like moved ones
 * @param notForPostroad rows for which the mapping gave no message; left alone
 * @param unmappable rows that could not become a message; left alone
 * @param reasons the first 1,000 unmappable rows
 * @param failed rows that the old outbox has given up, left alone
 * @param young rows that were too young, to be moved by a later run
 * @param unknown rows with a status that the old outbox does not have, left alone
 */
public record DrainReport(
    long moved,
    long alreadyThere,
    long notForPostroad,
    long unmappable,
    List<LeftRow> reasons,
    long failed,
    long young,
    long unknown) {

  public DrainReport {
    reasons = List.copyOf(reasons);
  }

  /**
   * A row that could not become a message.
   *
   * @param reason the error that its mapping or its append ended with
   */
  public record LeftRow(String id, String reason) {}

  /**
   * True when nothing is left that somebody has to come back for: no row was too young, unmappable
   * or of an unknown status.
   */
  public boolean isComplete() {
    return young == 0 && unmappable == 0 && unknown == 0;
  }
}
