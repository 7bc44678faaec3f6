package io.postroad.mongodb.internal.queue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Look;
import io.postroad.mongodb.internal.client.ServerTime;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/**
 * Takes in documents that others have written: gives them the fields of ours that a query goes by.
 * A bounded number at a time, found by an index, whenever they were written.
 */
public final class Intake {
  private static final int AT_ONCE = 500;
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));
  private static final UpdateOptions BY_ID = new UpdateOptions().hint(ID_ONLY);

  private final MongoCollection<BsonDocument> outbox;
  private final ServerTime time;
  private final QueueForm form;

  public Intake(Database database, QueueForm form) {
    this.outbox = Database.latest(form.collection(database));
    this.time = database.time();
    this.form = form;
  }

  /** Documents that are new to us, and what they get. */
  public record Step(Look fresh, List<BsonDocument> update) {}

  /** Some of what could be claimed. */
  void beforeClaim() {
    form.claimIntake(time).forEach(this::run);
  }

  /** All that is dead. */
  public void dead() {
    for (Step step : form.deadIntake(time)) {
      while (run(step) == AT_ONCE) {}
    }
  }

  private int run(Step step) {
    List<BsonDocument> found =
        step.fresh().first(outbox, AT_ONCE).projection(ID_ONLY).into(new ArrayList<>());
    if (!found.isEmpty()) {
      BsonDocument still = Bson.same(found);
      still.putAll(step.fresh().which());
      outbox.updateMany(still, step.update(), BY_ID);
    }
    return found.size();
  }

  /** Writes down the message ids of those documents that could not be found by them. */
  public void identify(List<BsonDocument> documents) {
    List<UpdateOneModel<BsonDocument>> updates = new ArrayList<>();
    for (BsonDocument document : documents) {
      form.ownId(document)
          .ifPresent(
              set ->
                  updates.add(
                      new UpdateOneModel<>(
                          Bson.same(List.of(document)), new BsonDocument("$set", set))));
    }
    if (!updates.isEmpty()) {
      outbox.bulkWrite(updates);
    }
  }
}
