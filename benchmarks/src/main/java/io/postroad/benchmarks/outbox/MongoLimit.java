package io.postroad.benchmarks.outbox;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import org.bson.codecs.configuration.CodecRegistries;

/** Shared code of the hand-written outboxes on MongoDB. */
final class MongoLimit {
  private static final String OUTBOX = "outbox";
  private static final TransactionOptions MAJORITY =
      TransactionOptions.builder()
          .readConcern(ReadConcern.SNAPSHOT)
          .writeConcern(WriteConcern.MAJORITY)
          .readPreference(ReadPreference.primary())
          .build();

  private MongoLimit() {}

  /** The work in a transaction, which runs again after a conflict. */
  @FunctionalInterface
  interface Work {
    void run(ClientSession session);
  }

  /**
   * Runs work in a transaction. The driver's helper repeats it after a conflict, and repeats a
   * commit in doubt.
   */
  static void inTransaction(MongoArena arena, Work work) {
    try (ClientSession session = arena.client().startSession()) {
      session.withTransaction(
          () -> {
            work.run(session);
            return true;
          },
          MAJORITY);
    }
  }

  /** Creates the outbox, with no index but that of {@code _id}. */
  static MongoCollection<MongoRow> createOutbox(MongoDatabase database) {
    database.createCollection(OUTBOX);
    MongoCollection<MongoRow> outbox = database.getCollection(OUTBOX, MongoRow.class);
    return outbox.withCodecRegistry(
        CodecRegistries.fromRegistries(
            CodecRegistries.fromCodecs(new MongoRow.RowCodec()), outbox.getCodecRegistry()));
  }
}
