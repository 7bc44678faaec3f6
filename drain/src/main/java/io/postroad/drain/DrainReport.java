package io.postroad.drain;

import java.util.List;

/**
 * Result of a run of a {@link PostgresDrain}, and the rows that it left in the other table.
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
   * Whether no row needs another run or a person: none was too young, unmappable or of an unknown
   * status.
   */
  public boolean isComplete() {
    return young == 0 && unmappable == 0 && unknown == 0;
  }
}
