package io.postroad.tck.contract.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A sender without a broker: writes down what it is given and answers as the test says. */
public final class RecordingSender implements MessageSender {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final List<Message> sent = new ArrayList<>();
  private final Function<Message, CompletionStage<SendOutcome>> answers;

  private RecordingSender(Function<Message, CompletionStage<SendOutcome>> answers) {
    this.answers = answers;
  }

  /** Takes everything. */
  public static RecordingSender accepting() {
    return answering(message -> accepted());
  }

  /** Answers at once. */
  public static RecordingSender answering(Function<Message, SendOutcome> answers) {
    return new RecordingSender(
        message -> CompletableFuture.completedFuture(answers.apply(message)));
  }

  /** Answers when the stages complete that the test gives. */
  public static RecordingSender answeringLater(
      Function<Message, CompletionStage<SendOutcome>> answers) {
    return new RecordingSender(answers);
  }

  public static SendOutcome accepted() {
    return new SendOutcome.Accepted(Map.of());
  }

  @Override
  public String name() {
    return "recording";
  }

  @Override
  public Duration timeout() {
    return TIMEOUT;
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    synchronized (sent) {
      sent.addAll(messages);
      sent.notifyAll();
    }
    return messages.stream().map(answers).toList();
  }

  /** Everything that was handed over so far, in order. */
  public List<Message> sent() {
    synchronized (sent) {
      return List.copyOf(sent);
    }
  }

  public List<UUID> sentIds() {
    return Samples.ids(sent());
  }

  /** Waits until so many messages were handed over. */
  public void awaitSent(int count) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    synchronized (sent) {
      while (sent.size() < count && System.nanoTime() < end) {
        TimeUnit.NANOSECONDS.timedWait(sent, Math.max(1, end - System.nanoTime()));
      }
      assertThat(sent).as("messages sent within a minute").hasSizeGreaterThanOrEqualTo(count);
    }
  }

  @Override
  public void close() {}
}
