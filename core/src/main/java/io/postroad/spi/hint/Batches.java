package io.postroad.spi.hint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Bounds what a store writes in one transaction by bytes as well as by number, so that large
 * messages neither exceed what a database takes at once nor fill the memory of a node.
 *
 * <p>Safe to use from many threads; keeps nothing.
 */
public final class Batches {
  /** The size of a batch in bytes. A single message may be larger, and then goes alone. */
  public static final long MAX_BYTES = 8L << 20;

  private Batches() {}

  /** Writes one part of a list. */
  @FunctionalInterface
  public interface Part<E> {
    /**
     * @param last whether nothing of the list comes after this part
     */
    void write(List<E> part, boolean last);
  }

  /** Counts how many of a list, from its first on, fit into one batch; at least one. */
  public static <E> int fitting(List<E> all, ToLongFunction<? super E> bytes) {
    long sum = 0;
    for (int i = 0; i < all.size(); i++) {
      sum += bytes.applyAsLong(all.get(i));
      if (sum > MAX_BYTES) {
        return Math.max(1, i);
      }
    }
    return all.size();
  }

  /** Splits a list into batches, in order. An empty list is one empty batch. */
  public static <E> List<List<E>> split(List<E> all, ToLongFunction<? super E> bytes) {
    List<List<E>> parts = new ArrayList<>();
    int from = 0;
    do {
      List<E> rest = all.subList(from, all.size());
      int size = fitting(rest, bytes);
      parts.add(rest.subList(0, size));
      from += size;
    } while (from < all.size());
    return parts;
  }

  /**
   * Writes a list in batches, in order. A batch that the database refuses as too large is written
   * in halves; a single element that it refuses is an error.
   *
   * @param isTooLarge recognises the database's refusal, after which nothing of the part is written
   */
  public static <E> void write(
      List<E> all,
      ToLongFunction<? super E> bytes,
      Predicate<RuntimeException> isTooLarge,
      Part<E> part) {
    List<List<E>> parts = split(all, bytes);
    for (int i = 0; i < parts.size(); i++) {
      halving(parts.get(i), i == parts.size() - 1, isTooLarge, part);
    }
  }

  private static <E> void halving(
      List<E> some, boolean last, Predicate<RuntimeException> isTooLarge, Part<E> part) {
    try {
      part.write(some, last);
    } catch (RuntimeException refused) {
      if (some.size() < 2 || !isTooLarge.test(refused)) {
        throw refused;
      }
      int half = some.size() / 2;
      halving(some.subList(0, half), false, isTooLarge, part);
      halving(some.subList(half, some.size()), last, isTooLarge, part);
    }
  }
}
