package io.postroad.internal.relay;

import io.postroad.message.Message;
import io.postroad.spi.hint.Batches;
import java.util.List;
import java.util.function.Function;

/**
 * Chooses how many messages to ask for. The size doubles while polls come back full, and falls back
 * when they do not. Large messages go in smaller batches: {@link Batches#MAX_BYTES} bounds the
 * memory, as far as the size of earlier messages tells. Used by one thread.
 */
public final class BatchSize {
  private final int smallest;
  private final int largest;
  private int current;
  private int most;

  public BatchSize(int smallest, int largest) {
    this.smallest = smallest;
    this.largest = largest;
    this.current = smallest;
    this.most = largest;
  }

  public int current() {
    return Math.min(current, most);
  }

  /** Returns how large a batch of messages like the latest ones may become. */
  public int most() {
    return most;
  }

  /** Begins again with one message: a read that failed may have been too large. */
  public void failed() {
    current = 1;
  }

  /** Adapts the size to the messages that were read. */
  public <T> void adapt(int asked, List<T> got, Function<T, Message> message) {
    long bytes = 0;
    for (T one : got) {
      bytes += message.apply(one).payload().size();
    }
    adapt(asked, got.size(), bytes);
  }

  /**
   * Adapts the size.
   *
   * @param bytes of payload of the messages that were read
   */
  void adapt(int asked, int got, long bytes) {
    if (got > 0) {
      long each = Math.max(1, bytes / got);
      most = (int) Math.max(1, Math.min(largest, Batches.MAX_BYTES / each));
    }
    if (got < asked) {
      current = smallest;
    } else if (asked == current) {
      current = Math.min(largest, current * 2);
    }
  }
}
