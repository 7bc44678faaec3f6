package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.outbox.SendOutcome;
import io.postroad.outbox.SendOutcome.Accepted;
import io.postroad.outbox.SendSession;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Order between calls: a transaction begins when the one before it is committed, and takes all that
 * was handed over meanwhile. Over at the first message that is not accepted.
 */
final class JmsSendSession implements SendSession {
  private final Calls calls;
  private final Executor workers;
  private final int batchSize;
  private final LongFunction<Transfer> transfers;
  private final Deque<Call> waiting = new ArrayDeque<>();
  private boolean working;
  private @Nullable Transfer running;
  private @Nullable String over;

  JmsSendSession(Calls calls, Executor workers, int batchSize, LongFunction<Transfer> transfers) {
    this.calls = calls;
    this.workers = workers;
    this.batchSize = batchSize;
    this.transfers = transfers;
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    Call call = calls.open(messages, this::timeOut);
    @Nullable String refusal = handOver(call);
    if (refusal != null) {
      call.unknown("not sent: " + refusal);
    }
    return call.stages();
  }

  private synchronized @Nullable String handOver(Call call) {
    if (over == null) {
      waiting.add(call);
      if (!working) {
        working = true;
        workers.execute(this::work);
      }
    }
    return over;
  }

  private void work() {
    List<Call> batch = next();
    while (!batch.isEmpty()) {
      List<Message> messages = new ArrayList<>();
      batch.forEach(call -> messages.addAll(call.messages()));
      List<SendOutcome> outcomes = begin(batch.get(0).deadline()).run(messages);
      if (!outcomes.stream().allMatch(Accepted.class::isInstance)) {
        end("one before it in its session was not accepted");
      }
      int from = 0;
      for (Call call : batch) {
        int to = from + call.messages().size();
        call.complete(outcomes.subList(from, to));
        from = to;
      }
      batch = next();
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

  /** As many of the waiting calls as fit into a transaction; none when the work is done. */
  private synchronized List<Call> next() {
    running = null;
    List<Call> batch = new ArrayList<>();
    int messages = 0;
    while (!waiting.isEmpty()
        && (batch.isEmpty() || messages + waiting.peek().messages().size() <= batchSize)) {
      Call call = waiting.remove();
      messages += call.messages().size();
      batch.add(call);
    }
    working = !batch.isEmpty();
    return batch;
  }

  private void timeOut() {
    String why = "its session had no answer in time";
    Transfer stuck = end(why);
    if (stuck != null) {
      stuck.abandon(why);
    }
  }

  @Override
  public void close() {
    String why = "the session is closed";
    Transfer unfinished = end(why);
    if (unfinished != null) {
      unfinished.stop(why);
    }
  }

  /** Ends the session, for the first reason that is given; returns what is under way. */
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
