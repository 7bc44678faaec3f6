package io.postroad.mongodb.internal.process;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.TransactionCheck;
import java.util.function.Supplier;

/** Runs operations in the transaction of a caller, which must be open. */
record JoinedCalls(TransactionCheck check) {

  static JoinedCalls of(Database database) {
    return new JoinedCalls(TransactionCheck.of(database.client(), database.options()));
  }

  <R> R call(ClientSession session, String verb, String what, Supplier<R> operation) {
    check.requireTransaction(session, verb);
    try {
      return operation.get();
    } catch (MongoException failed) {
      throw MongoErrors.inTransaction(what, failed);
    }
  }

  void run(ClientSession session, String verb, String what, Runnable operation) {
    boolean unused =
        call(
            session,
            verb,
            what,
            () -> {
              operation.run();
              return true;
            });
  }
}
