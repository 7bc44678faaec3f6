package io.postroad.admin;

/** Hears how far a bulk verb has come, after each of its batches was committed. */
@FunctionalInterface
public interface BulkProgress {

  /** Says nothing. */
  BulkProgress SILENT = done -> {};

  /**
   * @param done how many dead letters or rows were changed so far, by this call
   */
  void on(long done);
}
