package io.postroad.faults;

/** Where a {@link LaneProcess} can be told to stand still, so that it is killed just there. */
enum Point {
  /** A read has returned a part of a late transaction: the rest of it is still to be read. */
  WINDOW_OPENED,
  /** A part of a late transaction is written down as settled, the rest is not. */
  WINDOW_WRITTEN,
  /** A read has returned messages, none of them is sent. */
  CHUNK_READ,
  /** Messages are handed over, no outcome is known. */
  SENT,
  /** Outcomes are known and about to be written down. */
  ACKNOWLEDGED,
  /** The position is committed. */
  CURSOR_WRITTEN,
  /** A table of the log is truncated and that is not committed. */
  ROTATION
}
