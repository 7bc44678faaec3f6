package io.postroad.spi.hint;

/**
 * How a database carries hints from one node to the others. Hints may be late, merged or lost.
 *
 * <p>Safe to use from many threads.
 */
public interface HintChannel {

  /** The store's short name, for logs. */
  String store();

  /** Which of the store's channels it is, for logs and thread names. */
  String name();

  /**
   * Gives the other nodes one hint; does not wait for the disk.
   *
   * @return false when no other node listens now. It is asked again after a second at the latest,
   *     and hints that are wanted until then wait
   */
  boolean send() throws Exception;

  /**
   * Calls {@code hint} at every hint of another node, on a thread of its own, until it is closed. A
   * gap in listening MUST count as a hint.
   */
  AutoCloseable listen(Runnable hint);
}
