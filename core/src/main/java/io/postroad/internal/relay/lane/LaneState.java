package io.postroad.internal.relay.lane;

import io.postroad.internal.relay.MessageResult;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LanePosition;
import io.postroad.spi.Settlement;
import io.postroad.store.OrderKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The in-memory state of a lane that this node owns: how far it is read, the send window, the
 * blocked keys and the blocked destinations. Only this class changes it; a {@link LaneSession}
 * notes the send of a message in the message.
 *
 * <p>The send window holds the messages between read and advance in the order of the lane: first
 * the settled ones that an advance may write, then the others. A key is blocked while the database
 * holds messages of it, or the window holds some that an advance will write there. The database
 * holds all blocked messages, so the next owner finds them again.
 *
 * <p>Used by one thread.
 */
final class LaneState {
  private LanePosition readUpTo;

  private final List<LaneMessage> settled = new ArrayList<>();
  private final Deque<LaneMessage> rest = new ArrayDeque<>();

  /** The messages of the rest that are to be sent, or sent again; in order. */
  private final List<LaneMessage> waiting = new ArrayList<>();

  private final Set<OrderKey> blockedKeys = new HashSet<>();

  /** The blocked keys that got no answer while others did, and how often in a row. */
  private final Map<OrderKey, Integer> unanswered = new HashMap<>();

  private final Set<String> blockedDestinations = new HashSet<>();

  /** The keys of blocked destinations that were released and have blocked messages still. */
  private final Set<OrderKey> returning = new HashSet<>();

  LaneState(LanePosition readUpTo) {
    this.readUpTo = readUpTo;
  }

  /** Returns the position to read on from. */
  LanePosition readUpTo() {
    return readUpTo;
  }

  void read(LaneBatch batch) {
    readUpTo = batch.end();
    for (LaneEntry entry : batch.entries()) {
      LaneMessage message = new LaneMessage(entry.claim(), entry.position());
      rest.add(message);
      waiting.add(message);
    }
  }

  /** Returns how many messages the send window holds. */
  int size() {
    return settled.size() + rest.size();
  }

  /** Returns the settled messages that an advance may write. */
  List<LaneMessage> settled() {
    return settled;
  }

  /** Removes the settled messages, once an advance has written them. */
  void advanced() {
    settled.clear();
  }

  /**
   * Moves messages that are settled by now to {@link #settled()}; returns the first of the rest.
   */
  @Nullable LaneMessage firstUnsettled() {
    LaneMessage first = rest.peekFirst();
    while (first != null && first.isSettled()) {
      settled.add(rest.removeFirst());
      first = rest.peekFirst();
    }
    return first;
  }

  /** Returns the messages behind the first one that is not settled; some of them are. */
  Iterable<LaneMessage> rest() {
    return rest;
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Takes the messages that are to be sent. */
  List<LaneMessage> takeWaiting() {
    List<LaneMessage> taken = List.copyOf(waiting);
    waiting.clear();
    return taken;
  }

  /** Finds the messages that are to be sent, after sends have ended without being settled. */
  void findWaiting() {
    waiting.clear();
    for (LaneMessage message : rest) {
      if (message.isWaiting()) {
        waiting.add(message);
      }
    }
  }

  /**
   * Settles a message of the send window. One that waits for its destination blocks the
   * destination; any other one that is not delivered blocks its key.
   *
   * @return whether the key was free before
   */
  boolean settle(LaneMessage message, MessageResult result) {
    message.settled(result);
    if (result.settlement() instanceof Settlement.Blocked) {
      blockedDestinations.add(message.destination());
      return false;
    }
    return !(result.settlement() instanceof Settlement.Delivered) && blockedKeys.add(message.key());
  }

  /** Lets a message whose outcome is unknown wait for another send, see {@link #findWaiting}. */
  void sendAgain(LaneMessage message) {
    message.sendAgain();
  }

  boolean hasBlockedKeys() {
    return !blockedKeys.isEmpty();
  }

  boolean isBlocked(OrderKey key) {
    return blockedKeys.contains(key);
  }

  void blockKeys(Set<OrderKey> keys) {
    blockedKeys.addAll(keys);
  }

  /** Counts a send of this key without an answer; returns how many there were in a row. */
  int countUnanswered(OrderKey key) {
    return unanswered.merge(key, 1, Integer::sum);
  }

  boolean isUnanswered(OrderKey key) {
    return unanswered.containsKey(key);
  }

  /** Returns how many keys got no answer while others did. */
  int unansweredKeys() {
    return unanswered.size();
  }

  /** Records an answer; returns whether the key had none before. */
  boolean answered(OrderKey key) {
    return unanswered.remove(key) != null;
  }

  /**
   * Frees keys of which the database holds no message, unless the window holds one that is still to
   * be written there.
   *
   * @return the keys that are free now
   */
  private Set<OrderKey> free(Set<OrderKey> notInDatabase) {
    Set<OrderKey> freed = new HashSet<>(notInDatabase);
    freed.removeIf(key -> windowHas(key) || !blockedKeys.remove(key));
    unanswered.keySet().removeAll(freed);
    return freed;
  }

  /** Replaces the blocked keys by those of the database; returns the keys that are free now. */
  Set<OrderKey> refresh(Set<OrderKey> inDatabase) {
    Set<OrderKey> gone = new HashSet<>(blockedKeys);
    gone.removeAll(inDatabase);
    blockedKeys.addAll(inDatabase);
    return free(gone);
  }

  private boolean windowHas(OrderKey key) {
    return window().anyMatch(message -> message.key().equals(key));
  }

  private Stream<LaneMessage> window() {
    return Stream.concat(settled.stream(), rest.stream());
  }

  List<String> blockedDestinations() {
    return List.copyOf(blockedDestinations);
  }

  boolean isDestinationBlocked(String destination) {
    return blockedDestinations.contains(destination);
  }

  void blockDestinations(Set<String> destinations) {
    blockedDestinations.addAll(destinations);
  }

  /**
   * Records that blocked messages were settled.
   *
   * @param emptied the keys of which the database holds no message any more
   * @param destinations those that are blocked again, and their released keys with them
   * @return the keys that are free now
   */
  Set<OrderKey> settledBlocked(Set<OrderKey> emptied, Set<String> destinations) {
    blockedDestinations.addAll(destinations);
    returning.removeAll(emptied);
    returning.removeIf(key -> destinations.contains(key.destination()));
    return free(emptied);
  }

  /** Records that the database has made keys of a blocked destination due. */
  void release(Set<OrderKey> keys) {
    blockedKeys.addAll(keys);
    returning.addAll(keys);
  }

  /** Returns how many released keys have blocked messages still. */
  int returning() {
    return returning.size();
  }

  /**
   * Frees a destination. Messages of the window that were about to be blocked for it are blocked
   * behind their keys instead.
   */
  void freeDestination(String destination, Function<Claim, MessageResult> behindItsKey) {
    blockedDestinations.remove(destination);
    window()
        .filter(each -> each.waitsForDestination() && each.destination().equals(destination))
        .forEach(each -> settle(each, behindItsKey.apply(each.claim())));
  }
}
