package io.postroad.benchmarks.outbox;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The event of a transaction: the {@code seq}-th event of a key, counted from 0. About 300 bytes.
 *
 * @param keyNumber the key; for a hot event its writer, which orders its own events
 * @param hot whether the event has the key that all writers use
 */
record Event(int keyNumber, int seq, boolean hot) {
  static final String TYPE = "OrderPlaced";

  private static final String KEY_PREFIX = "order-";
  private static final String HOT_KEY = "hot-order";
  private static final byte[] HOT_KEY_BYTES = HOT_KEY.getBytes(StandardCharsets.UTF_8);
  private static final String SEQ_PREFIX = "{\"seq\":";
  private static final String REST =
      """
      ,"customer":"customer-4711","currency":"EUR","lines":[{"article":"8412-77","amount":2,"price":1995},\
      {"article":"1032-04","amount":1,"price":4950}],"shipTo":{"street":"Dorotheenstrasse 12",\
      "city":"Berlin","zip":"10117","country":"DE"},"note":"leave it with the neighbours on the second floor"}\
      """;

  Event(int keyNumber, int seq) {
    this(keyNumber, seq, false);
  }

  /** Returns the {@code seq}-th event of a writer with the key that all writers use. */
  static Event hot(int writer, int seq) {
    return new Event(writer, seq, true);
  }

  String key() {
    return hot ? HOT_KEY : KEY_PREFIX + keyNumber;
  }

  String payload() {
    return SEQ_PREFIX + (hot ? seq * Writers.COUNT + keyNumber : seq) + REST;
  }

  /** Reads the event of a record. */
  static Event received(byte[] key, byte[] payload) {
    int number = numberAfter(SEQ_PREFIX, payload);
    return Arrays.equals(key, HOT_KEY_BYTES)
        ? hot(number % Writers.COUNT, number / Writers.COUNT)
        : new Event(numberAfter(KEY_PREFIX, key), number);
  }

  private static int numberAfter(String prefix, byte[] text) {
    int number = 0;
    int at = prefix.length();
    while (at < text.length && text[at] >= '0' && text[at] <= '9') {
      number = Math.addExact(Math.multiplyExact(number, 10), text[at] - '0');
      at++;
    }
    if (at == prefix.length()) {
      throw new IllegalStateException(
          "expected %s and a number, got: %s"
              .formatted(prefix, new String(text, StandardCharsets.UTF_8)));
    }
    return number;
  }
}
