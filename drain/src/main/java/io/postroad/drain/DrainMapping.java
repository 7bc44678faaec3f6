package io.postroad.drain;

import io.postroad.message.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a message of a row of another outbox. The tables hold Java class names and listener ids;
 * only the application knows their destinations.
 *
 * <p>Called once for each row of a batch, inside the transaction that moves it, so it should be
 * quick and change nothing. It may be called again for the same row, after a conflict or a crash
 * and by {@link PostgresDrain#preview}.
 */
@FunctionalInterface
public interface DrainMapping {

  /**
   * Returns the message of a row; the drain gives it {@link DrainRow#messageId()} as its id. Empty
   * when the row is not for Postroad, for example one of a listener inside the application: that
   * row stays in its table. So does a row for which this throws, and the report says why.
   */
  Optional<Message.Builder> map(DrainRow row);

  /** Returns a mapping by rules; without a rule, no row is for Postroad. */
  static Rules rules() {
    return new Rules();
  }

  /**
   * Maps by listener or by type; a listener's rule comes before a type's. The message is an event
   * with the simple class name as its type, the payload as it is ({@code application/json}), the
   * row's key and its due time.
   *
   * <p>Complete it before it is handed over; it is not for several threads until then.
   */
  final class Rules implements DrainMapping {
    private final Map<String, String> listeners = new HashMap<>();
    private final Map<String, String> types = new HashMap<>();
    private @Nullable String otherwise;
    private BiConsumer<DrainRow, Message.Builder> refinement = (row, message) -> {};

    private Rules() {}

    /** Sends rows of this listener or handler id to {@code destination}. */
    public Rules listener(String id, String destination) {
      listeners.put(id, destination);
      return this;
    }

    /** Sends rows of this event class to {@code destination}; a full or a simple class name. */
    public Rules type(String className, String destination) {
      types.put(className, destination);
      return this;
    }

    /** Sends all other rows to {@code destination}. */
    public Rules otherwise(String destination) {
      otherwise = destination;
      return this;
    }

    /** Runs on every message before it is built: headers, another key, another payload. */
    public Rules refine(BiConsumer<DrainRow, Message.Builder> refinement) {
      this.refinement = this.refinement.andThen(refinement);
      return this;
    }

    @Override
    public Optional<Message.Builder> map(DrainRow row) {
      return destination(row).map(destination -> message(row, destination));
    }

    private Optional<String> destination(DrainRow row) {
      return Optional.ofNullable(listeners.get(row.listener()))
          .or(() -> Optional.ofNullable(types.get(row.type())))
          .or(() -> Optional.ofNullable(types.get(row.simpleType())))
          .or(() -> Optional.ofNullable(otherwise));
    }

    private Message.Builder message(DrainRow row, String destination) {
      Message.Builder message = Message.event(row.simpleType()).to(destination).json(row.payload());
      row.key().ifPresent(message::key);
      row.delivery().dueAt().ifPresent(message::notBefore);
      refinement.accept(row, message);
      return message;
    }
  }
}
