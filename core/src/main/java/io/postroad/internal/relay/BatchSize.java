package io.postroad.internal.relay;

import io.postroad.message.Message;
import io.postroad.spi.hint.Batches;
import java.util.List;
import java.util.function.Function;

/**
 * How many messages to ask for: doubles while polls come back full, falls back when they do not, so
 * that a backlog goes in large batches and a trickle in small ones. Large messages go in smaller
 * batches: memory is bounded by {@link Batches#MAX_BYTES}, too, as far as the batch before tells.
 * Used by one thread.
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

  /** How large a batch of messages like the latest ones may become. */
  public int most() {
    return most;
  }

  /** A claim that failed may have been too large to be read: begin again with one message. */
  public void failed() {
    current = 1;
  }

  /** To what came. */
  public <T> void adapt(int asked, List<T> got, Function<T, Message> message) {
    long bytes = 0;
    for (T one : got) {
      bytes += message.apply(one).payload().size();
    }
    adapt(asked, got.size(), bytes);
  }

  /**
   * @param bytes of payload of those that came
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
