package io.postroad.mongodb;

import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Has the server explain every command of a client, at the moment before it is sent. */
public final class Explained implements CommandListener {
  private static final Set<String> NOT_EXPLAINED =
      Set.of(
          "lsid",
          "$db",
          "$clusterTime",
          "txnNumber",
          "$readPreference",
          "writeConcern",
          "readConcern",
          "maxTimeMS",
          "startTransaction",
          "autocommit",
          "cursor");
  private static final Set<String> COMMANDS =
      Set.of("find", "findAndModify", "update", "delete", "aggregate");

  private final MongoDatabase database;
  private final List<Plan> plans = Collections.synchronizedList(new ArrayList<>());

  /** What the server would do for one query. */
  public record Plan(
      String command, Set<String> stages, Set<String> indexes, long examined, long keys) {}

  public Explained(MongoDatabase database) {
    this.database = database;
  }

  /** The plans since the last call. */
  public List<Plan> take() {
    List<Plan> taken = List.copyOf(plans);
    plans.clear();
    return taken;
  }

  @Override
  public void commandStarted(CommandStartedEvent event) {
    if (COMMANDS.contains(event.getCommandName())
        && event.getDatabaseName().equals(database.getName())) {
      BsonDocument command = new BsonDocument();
      event.getCommand().forEach(command::put);
      queries(command).forEach(this::explain);
    }
  }

  /** The server explains one update or delete at a time. */
  private static List<BsonDocument> queries(BsonDocument command) {
    NOT_EXPLAINED.forEach(command::remove);
    for (String field : List.of("updates", "deletes")) {
      if (command.containsKey(field)) {
        return command.getArray(field).stream()
            .map(each -> command.clone().append(field, new BsonArray(List.of(each))))
            .toList();
      }
    }
    if (command.containsKey("pipeline")) {
      if (!command.isString("aggregate")) {
        return List.of();
      }
      command.append("cursor", new BsonDocument());
    }
    return List.of(command);
  }

  private void explain(BsonDocument command) {
    BsonDocument explain =
        new BsonDocument("explain", command).append("verbosity", new BsonString("executionStats"));
    BsonDocument answer = database.runCommand(explain, BsonDocument.class);
    Set<String> stages = new TreeSet<>();
    Set<String> indexes = new TreeSet<>();
    long[] examined = new long[2];
    walk(answer, stages, indexes, examined);
    plans.add(new Plan(command.toJson(), stages, indexes, examined[0], examined[1]));
  }

  private static void walk(
      BsonValue value, Set<String> stages, Set<String> indexes, long[] examined) {
    if (value.isArray()) {
      value.asArray().forEach(each -> walk(each, stages, indexes, examined));
    } else if (value.isDocument()) {
      value
          .asDocument()
          .forEach(
              (name, field) -> {
                switch (name) {
                  case "stage" -> stages.add(field.asString().getValue());
                  case "$sort" -> stages.add("SORT");
                  case "indexName" -> indexes.add(field.asString().getValue());
                  case "totalDocsExamined" -> examined[0] += field.asNumber().longValue();
                  case "totalKeysExamined" -> examined[1] += field.asNumber().longValue();
                  case "command", "rejectedPlans", "allPlansExecution" -> {}
                  default -> walk(field, stages, indexes, examined);
                }
              });
    }
  }
}
