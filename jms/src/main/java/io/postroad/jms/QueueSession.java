package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to one queue in order. A transaction begins when the one before it is committed,
 * and contains all messages that were handed over meanwhile. Ends at the first message that is not
 * accepted. Thread-safe.
 */
final class QueueSession {
  private final Calls calls;
  private final Executor workers;
  private final int batchSize;
  private final LongFunction<Transfer> transfers;
  private final Deque<Call> waiting = new ArrayDeque<>();
  private boolean working;
  private @Nullable Transfer running;
  private @Nullable String over;

  QueueSession(Calls calls, Executor workers, int batchSize, LongFunction<Transfer> transfers) {
    this.calls = calls;
    this.workers = workers;
    this.batchSize = batchSize;
    this.transfers = transfers;
  }

  List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    Call call = calls.open(messages, this::timeOut);
    @Nullable String refusal = handOver(call);
    if (refusal != null) {
      call.unknown("not sent: " + refusal);
    }
    return call.stages();
  }

  private @Nullable String handOver(Call call) {
    boolean begins;
    synchronized (this) {
      if (over != null) {
        return over;
      }
      waiting.add(call);
      begins = !working;
      working = true;
    }
    if (begins) {
      workers.execute(this::work);
    }
    return null;
  }

  /** Runs one transaction. The next one waits for its turn behind those of other queues. */
  private void work() {
    List<Call> batch = next();
    List<Message> messages = new ArrayList<>();
    batch.forEach(call -> messages.addAll(call.messages()));
    if (!messages.isEmpty()) {
      List<SendOutcome> outcomes = begin(batch.get(0).deadline()).run(messages);
      if (!outcomes.stream().allMatch(Accepted.class::isInstance)) {
        end("an earlier message of the session was not accepted");
      }
      int from = 0;
      for (Call call : batch) {
        int to = from + call.messages().size();
        call.complete(outcomes.subList(from, to));
        from = to;
      }
    }
    if (hasMore()) {
      workers.execute(this::work);
    }
  }

  private synchronized Transfer begin(long deadline) {
    Transfer transfer = transfers.apply(deadline);
    running = transfer;
    if (over != null) {
      transfer.stop(over);
    }
    return transfer;
  }

  /** Returns as many of the waiting calls as fit into a transaction. */
  private synchronized List<Call> next() {
    List<Call> batch = new ArrayList<>();
    int messages = 0;
    while (!waiting.isEmpty()
        && (batch.isEmpty() || messages + waiting.peek().messages().size() <= batchSize)) {
      Call call = waiting.remove();
      messages += call.messages().size();
      batch.add(call);
    }
    return batch;
  }

  private synchronized boolean hasMore() {
    running = null;
    working = !waiting.isEmpty();
    return working;
  }

  /** Returns whether the session can be removed: no transaction is running, and none has failed. */
  synchronized boolean isIdle() {
    return !working && over == null;
  }

  private void timeOut() {
    String why = "its queue had no answer in time";
    Transfer stuck = end(why);
    if (stuck != null) {
      stuck.abandon(why);
    }
  }

  void close() {
    String why = "the session is closed";
    Transfer unfinished = end(why);
    if (unfinished != null) {
      unfinished.stop(why);
    }
  }

  /** Ends the session with a reason, of which the first counts. Returns the running transfer. */
  private @Nullable Transfer end(String why) {
    List<Call> dropped;
    Transfer transfer;
    synchronized (this) {
      if (over == null) {
        over = why;
      }
      dropped = List.copyOf(waiting);
      waiting.clear();
      transfer = running;
    }
    dropped.forEach(call -> call.unknown("not sent: " + why));
    return transfer;
  }
}
