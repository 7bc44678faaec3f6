package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of one line, one transaction after the other on a thread of its own, because beginning and
 * committing block. Calls that came while a transaction ran go together in the next one, so none
 * waits for more than two. Fences the earlier session of its line as soon as it is open; ends at
 * the first transaction that fails.
 */
final class TransactionalSession implements SendSession {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);

  /** One call of send. */
  private static final class Call {
    final List<Message> messages;
    final List<CompletableFuture<SendOutcome>> outcomes;

    Call(List<Message> messages) {
      this.messages = messages;
      this.outcomes = messages.stream().map(each -> new CompletableFuture<SendOutcome>()).toList();
    }

    void complete(SendOutcome outcome) {
      outcomes.forEach(each -> each.complete(outcome));
    }
  }

  private final String id;
  private final Supplier<LineProducer> beginning;
  private final Duration timeout;
  private final Consumer<TransactionalSession> ended;
  private final List<Call> waiting = new ArrayList<>();
  private List<Call> running = List.of();
  private @Nullable LineProducer producer;
  private @Nullable String over;

  TransactionalSession(
      String id,
      Supplier<LineProducer> beginning,
      Duration timeout,
      Consumer<TransactionalSession> ended) {
    this.id = id;
    this.beginning = beginning;
    this.timeout = timeout;
    this.ended = ended;
  }

  void start() {
    Thread thread = new Thread(this::run, "postroad-kafka-" + id);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    Call call = new Call(List.copyOf(messages));
    if (!enqueue(call)) {
      return KafkaSender.unknown(messages, "not handed over: " + over());
    }
    limit(call);
    return List.copyOf(call.outcomes);
  }

  private synchronized boolean enqueue(Call call) {
    if (over != null) {
      return false;
    }
    waiting.add(call);
    notifyAll();
    return true;
  }

  /** Nobody waits longer than the sender's timeout says. */
  private void limit(Call call) {
    CompletableFuture<?> all =
        CompletableFuture.allOf(call.outcomes.toArray(CompletableFuture<?>[]::new));
    var unused =
        all.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (done, late) -> {
                  if (late != null) {
                    end("no transaction was committed within " + timeout);
                  }
                });
  }

  private void run() {
    try {
      LineProducer line = beginning.get();
      if (!isOver(line)) {
        work(line);
      }
      line.close();
    } catch (RuntimeException e) {
      end(
          "no transaction could be begun with transactional id %s: %s"
              .formatted(id, SendFailure.describe(e)));
    } catch (InterruptedException e) {
      end("its thread was interrupted");
    } finally {
      ended.accept(this);
    }
  }

  private void work(LineProducer line) throws InterruptedException {
    for (List<Call> batch = take(); !batch.isEmpty(); batch = take()) {
      List<Message> messages = batch.stream().flatMap(call -> call.messages.stream()).toList();
      LineProducer.Result result = line.send(messages);
      if (result.failure() != null) {
        // First: whoever hears of the failure opens another session, and the two would be at odds.
        line.abort();
      }
      complete(batch, result.outcomes());
      if (result.failure() != null) {
        LOG.warn(
            "kafka: a transaction failed and its session ends, transactionalId={} messages={}"
                + " error={}",
            id,
            messages.size(),
            result.failure());
        end("a transaction before it failed: " + result.failure());
      }
    }
  }

  /** What came since; empty when the session is over. */
  private synchronized List<Call> take() throws InterruptedException {
    while (over == null && waiting.isEmpty()) {
      wait();
    }
    running = List.copyOf(waiting);
    waiting.clear();
    return running;
  }

  /** Refusals first: they are why the others failed. */
  private static void complete(List<Call> batch, List<SendOutcome> outcomes) {
    List<CompletableFuture<SendOutcome>> all =
        batch.stream().flatMap(call -> call.outcomes.stream()).toList();
    for (int i = 0; i < all.size(); i++) {
      if (outcomes.get(i) instanceof Rejected) {
        all.get(i).complete(outcomes.get(i));
      }
    }
    for (int i = 0; i < all.size(); i++) {
      all.get(i).complete(outcomes.get(i));
    }
  }

  private synchronized boolean isOver(LineProducer begun) {
    producer = begun;
    return over != null;
  }

  private synchronized @Nullable String over() {
    return over;
  }

  /** From now on nothing goes; what has no outcome yet is Unknown. The first reason counts. */
  private void end(String why) {
    List<Call> open = new ArrayList<>();
    synchronized (this) {
      if (over == null) {
        over = why;
      }
      open.addAll(running);
      open.addAll(waiting);
      waiting.clear();
      notifyAll();
    }
    SendOutcome outcome = new SendOutcome.Unknown("not known to be sent: " + why);
    open.forEach(call -> call.complete(outcome));
  }

  @Override
  public void close() {
    end("the session is closed");
    LineProducer begun;
    synchronized (this) {
      begun = producer;
    }
    if (begun != null) {
      begun.close();
    }
  }
}
