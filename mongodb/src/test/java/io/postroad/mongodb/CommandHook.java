package io.postroad.mongodb;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Sees the commands of a client, and does something at a moment between two of them. */
public final class CommandHook implements CommandListener {
  private final List<BsonDocument> commands = new CopyOnWriteArrayList<>();
  private final Map<Integer, String> running = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Moment> moment = new AtomicReference<>();

  private record Moment(String command, String collection, boolean before, Runnable action) {}

  /** Right before the next such command is sent, once. */
  public void before(String command, String collection, Runnable action) {
    moment.set(new Moment(command, collection, true, action));
  }

  /** Right after the next such command was answered, once. */
  public void after(String command, String collection, Runnable action) {
    moment.set(new Moment(command, collection, false, action));
  }

  /** What was sent since {@link #forget}. */
  public List<BsonDocument> commands() {
    return List.copyOf(commands);
  }

  public void forget() {
    commands.clear();
  }

  @Override
  public void commandStarted(CommandStartedEvent event) {
    BsonDocument command = event.getCommand().clone();
    commands.add(command);
    String name = event.getCommandName();
    String collection = command.isString(name) ? command.getString(name).getValue() : "";
    running.put(event.getRequestId(), collection);
    act(name, collection, true);
  }

  @Override
  public void commandSucceeded(CommandSucceededEvent event) {
    String collection = running.getOrDefault(event.getRequestId(), "");
    act(event.getCommandName(), collection, false);
  }

  private void act(String command, String collection, boolean before) {
    @Nullable Moment awaited = moment.get();
    if (awaited != null
        && awaited.command.equals(command)
        && awaited.collection.equals(collection)
        && awaited.before == before
        && moment.compareAndSet(awaited, null)) {
      awaited.action.run();
    }
  }
}
