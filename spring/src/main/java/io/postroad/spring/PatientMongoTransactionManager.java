package io.postroad.spring;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import io.postroad.framework.internal.transaction.MongoRuns;
import java.time.Duration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;

/**
 * A {@code MongoTransactionManager} as the outbox needs it: snapshot reads, write concern majority,
 * and a commit that is repeated while its result is unknown. Only the manager can repeat it.
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
   * @param repeatFor how long a commit is repeated while its result is unknown
   */
  public PatientMongoTransactionManager(MongoDatabaseFactory factory, Duration repeatFor) {
    super(factory, OPTIONS);
    this.repeatFor = repeatFor;
  }

  @Override
  protected void doCommit(MongoTransactionObject transaction) {
    MongoRuns.commit(repeatFor, transaction::commitTransaction);
  }
}
