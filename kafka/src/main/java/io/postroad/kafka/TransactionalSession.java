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
 * Sends the calls of one lane, one transaction after the other. It has its own thread, because the
 * start and each commit block. Calls that arrive during a transaction share the next one, so a call
 * waits for two transactions at most. The start fences the earlier session of the lane; the first
 * failed transaction ends this one.
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
  private final Supplier<TransactionalProducer> start;
  private final Duration timeout;
  private final Consumer<TransactionalSession> ended;
  private final List<Call> waiting = new ArrayList<>();
  private List<Call> running = List.of();
  private @Nullable TransactionalProducer producer;
  private @Nullable String over;

  TransactionalSession(
      String id,
      Supplier<TransactionalProducer> start,
      Duration timeout,
      Consumer<TransactionalSession> ended) {
    this.id = id;
    this.start = start;
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

  /** Ends the session if a call has no outcome within the sender's timeout. */
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
      TransactionalProducer started = start.get();
      if (!isOver(started)) {
        work(started);
      }
      started.close();
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

  private void work(TransactionalProducer started) throws InterruptedException {
    for (List<Call> batch = take(); !batch.isEmpty(); batch = take()) {
      List<Message> messages = batch.stream().flatMap(call -> call.messages.stream()).toList();
      TransactionalProducer.Result result = started.send(messages);
      if (result.failure() != null) {
        // First: once the relay learns of the failure, its next session would fence this one.
        started.abort();
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

  /** Waits for calls and returns those that wait; empty if the session is over. */
  private synchronized List<Call> take() throws InterruptedException {
    while (over == null && waiting.isEmpty()) {
      wait();
    }
    running = List.copyOf(waiting);
    waiting.clear();
    return running;
  }

  /** Completes rejections first, because they are the cause of the other failures. */
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

  private synchronized boolean isOver(TransactionalProducer begun) {
    producer = begun;
    return over != null;
  }

  private synchronized @Nullable String over() {
    return over;
  }

  /** Ends the session. Messages without an outcome become Unknown. The first reason counts. */
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
    SendOutcome outcome = new SendOutcome.Unknown("the outcome is not known: " + why);
    open.forEach(call -> call.complete(outcome));
  }

  @Override
  public void close() {
    end("the session is closed");
    TransactionalProducer begun;
    synchronized (this) {
      begun = producer;
    }
    if (begun != null) {
      begun.close();
    }
  }
}
