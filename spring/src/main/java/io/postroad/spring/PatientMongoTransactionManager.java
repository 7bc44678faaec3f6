package io.postroad.spring;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import java.time.Duration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;

/**
 * A {@code MongoTransactionManager} with what the outbox needs: snapshot reads, write concern
 * majority, and a commit that is repeated while its result is unknown, which is safe and which
 * nobody else can do.
 *
 * <p>Safe to use from many threads.
 */
public final class PatientMongoTransactionManager extends MongoTransactionManager {
  private static final TransactionOptions OPTIONS =
      TransactionOptions.builder()
          .readConcern(ReadConcern.SNAPSHOT)
          .writeConcern(WriteConcern.MAJORITY)
          .readPreference(ReadPreference.primary())
          .build();

  private final Duration repeatFor;

  /** Repeats a commit for up to 30 s. */
  public PatientMongoTransactionManager(MongoDatabaseFactory factory) {
    this(factory, Duration.ofSeconds(30));
  }

  /**
   * @param repeatFor for how long a commit whose result is unknown is repeated
   */
  public PatientMongoTransactionManager(MongoDatabaseFactory factory, Duration repeatFor) {
    super(factory, OPTIONS);
    this.repeatFor = repeatFor;
  }

  @Override
  protected void doCommit(MongoTransactionObject transaction) {
    Patience patience = Patience.of(repeatFor);
    while (true) {
      try {
        transaction.commitTransaction();
        return;
      } catch (MongoException failed) {
        if (!MongoLabels.isUnknownCommit(failed) || !patience.lasts()) {
          throw failed;
        }
      }
    }
  }
}
