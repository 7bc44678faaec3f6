package io.postroad.benchmarks.process;

import java.util.List;
import java.util.UUID;

/**
 * The limit: good hand-written code. Each step is one transaction with the business row and the row
 * with the state of the transfer; the thread that committed a step continues with the next. It has
 * no log, no recovery after a crash, no retries and no timeouts.
 */
final class HandwrittenTransfers implements ProcessContender {
  private final Database database;

  HandwrittenTransfers(Database database) {
    this.database = database;
  }

  /** The writes; each call is a transaction. */
  interface Database {
    void start(UUID id, long number, String step, String data) throws Exception;

    void step(UUID id, long number, String done, State next) throws Exception;

    void move(UUID id, State next) throws Exception;
  }

  /** The state of a transfer. */
  record State(String status, String step, String data) {}

  @Override
  public String name() {
    return "limit";
  }

  @Override
  public List<Long> run(int count, boolean someFail) throws Exception {
    return Crowd.run(count, number -> transfer(number, someFail));
  }

  private void transfer(long number, boolean someFail) throws Exception {
    UUID id = UUID.randomUUID();
    database.start(id, number, "Debit", data(number));
    step(id, number, "Debit", "RUNNING", "Convert");
    step(id, number, "Convert", "RUNNING", "Credit");
    if (TransferDatabase.fails(number, someFail)) {
      database.move(id, new State("COMPENSATING", "Credit", data(number)));
      step(id, number, "UndoConvert", "COMPENSATING", "UndoDebit");
      step(id, number, "UndoDebit", "COMPENSATED", "UndoDebit");
    } else {
      step(id, number, "Credit", "RUNNING", "Notify");
      step(id, number, "Notify", "SUCCEEDED", "Notify");
    }
  }

  private void step(UUID id, long number, String done, String status, String next)
      throws Exception {
    database.step(id, number, done, new State(status, next, data(number)));
  }

  private static String data(long number) {
    return "{\"number\":%d,\"amount\":100,\"currency\":\"EUR\"}".formatted(number);
  }

  @Override
  public void close() {}
}
