package io.postroad.faults;

import io.postroad.message.Message;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Events that overlapping writers committed, and their deliveries. Events are numbered: once over
 * all, so that each is known, and per key in the order of the commits.
 */
final class Booked {
  private static final int SHOWN = 20;

  private final AtomicInteger lastEvent = new AtomicInteger();
  private final BitSet committed = new BitSet();
  private final BitSet delivered = new BitSet();
  private final Map<String, Integer> latest = new HashMap<>();
  private int committedEvents;
  private int deliveredEvents;
  private int repeated;
  private int outOfOrder;
  private int rolledBack;

  /** An event that no other is, not written yet. */
  Message event(String key, int number) {
    return Message.event("Booked")
        .to("bookings")
        .key(key)
        .json(lastEvent.incrementAndGet() + " " + number)
        .build();
  }

  private static int[] numbers(Message message) {
    String text = message.payload().text().orElseThrow();
    int space = text.indexOf(' ');
    return new int[] {
      Integer.parseInt(text.substring(0, space)), Integer.parseInt(text.substring(space + 1))
    };
  }

  synchronized void committed(List<Message> events) {
    events.forEach(event -> committed.set(numbers(event)[0]));
    committedEvents += events.size();
  }

  synchronized void rolledBack(List<Message> events) {
    rolledBack += events.size();
  }

  synchronized void delivered(Message message) {
    int[] numbers = numbers(message);
    if (delivered.get(numbers[0])) {
      repeated++;
    } else {
      deliveredEvents++;
    }
    delivered.set(numbers[0]);
    Integer before = latest.put(message.key().orElseThrow(), numbers[1]);
    // Numbers of a key have no gaps: what was rolled back gave its number back.
    if (numbers[1] != (before == null ? 1 : before + 1)) {
      outOfOrder++;
    }
  }

  /** How many are committed and not delivered. */
  synchronized int waiting() {
    return committedEvents - deliveredEvents;
  }

  /** Returns the errors; empty for none. */
  synchronized List<String> problems() {
    List<String> problems = new ArrayList<>();
    say(problems, "lost", minus(committed, delivered));
    say(problems, "phantoms", minus(delivered, committed));
    if (repeated > 0) {
      problems.add("repeated: " + repeated);
    }
    if (outOfOrder > 0) {
      problems.add("out of order: " + outOfOrder);
    }
    return problems;
  }

  private static void say(List<String> problems, String what, BitSet events) {
    if (!events.isEmpty()) {
      problems.add(
          what + ": " + events.cardinality() + " " + events.stream().limit(SHOWN).boxed().toList());
    }
  }

  private static BitSet minus(BitSet these, BitSet those) {
    BitSet rest = (BitSet) these.clone();
    rest.andNot(those);
    return rest;
  }

  @Override
  public synchronized String toString() {
    return "committed=%d delivered=%d rolled-back=%d keys=%d problems=%s"
        .formatted(committedEvents, deliveredEvents, rolledBack, latest.size(), problems());
  }
}
