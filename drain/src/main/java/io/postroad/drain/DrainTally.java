package io.postroad.drain;

import java.util.ArrayList;
import java.util.List;

/** Counts the results of one batch, or of all batches so far. Not thread-safe. */
final class DrainTally {
  private static final int KEPT_REASONS = 1_000;

  private final List<DrainReport.LeftRow> reasons = new ArrayList<>();
  private long moved;
  private long alreadyThere;
  private long notForPostroad;
  private long unmappable;

  void moved(int rows) {
    moved += rows;
  }

  void alreadyThere() {
    alreadyThere++;
  }

  void notForPostroad() {
    notForPostroad++;
  }

  void left(String id, String reason) {
    unmappable++;
    if (reasons.size() < KEPT_REASONS) {
      reasons.add(new DrainReport.LeftRow(id, reason));
    }
  }

  void add(DrainTally batch) {
    moved += batch.moved;
    alreadyThere += batch.alreadyThere;
    notForPostroad += batch.notForPostroad;
    unmappable += batch.unmappable;
    batch.reasons.stream().limit(KEPT_REASONS - reasons.size()).forEach(reasons::add);
  }

  /** Returns the number of rows that are marked in the other table. */
  long settled() {
    return moved + alreadyThere;
  }

  /**
   * Returns the report.
   *
   * @param left rows that are in the table now
   */
  DrainReport report(List<DrainPreview.Count> left) {
    return new DrainReport(
        moved,
        alreadyThere,
        notForPostroad,
        unmappable,
        reasons,
        DrainPreview.count(left, DrainPreview.Fate.FAILED),
        DrainPreview.count(left, DrainPreview.Fate.YOUNG),
        DrainPreview.count(left, DrainPreview.Fate.UNKNOWN));
  }
}
