package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The messages of one call and their outcomes. Thread-safe. */
final class Call {
  private final List<Message> messages;
  private final long deadline;
  private final List<CompletableFuture<SendOutcome>> outcomes;

  Call(List<Message> messages, long deadline) {
    this.messages = List.copyOf(messages);
    this.deadline = deadline;
    this.outcomes = new ArrayList<>(messages.size());
    messages.forEach(message -> outcomes.add(new CompletableFuture<>()));
  }

  List<Message> messages() {
    return messages;
  }

  long deadline() {
    return deadline;
  }

  List<CompletionStage<SendOutcome>> stages() {
    return List.copyOf(outcomes);
  }

  void whenAllKnown(Runnable then) {
    var unused =
        CompletableFuture.allOf(outcomes.toArray(CompletableFuture<?>[]::new)).thenRun(then);
  }

  void complete(List<SendOutcome> with) {
    for (int i = 0; i < with.size(); i++) {
      outcomes.get(i).complete(with.get(i));
    }
  }

  void unknown(String why) {
    SendOutcome unknown = new Unknown(why);
    outcomes.forEach(outcome -> outcome.complete(unknown));
  }
}
