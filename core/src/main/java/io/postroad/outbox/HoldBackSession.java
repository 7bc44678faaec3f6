package io.postroad.outbox;

import io.postroad.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Order between the calls of any sender: a call is handed over when everything before it was
 * accepted, and not at all after the first outcome that was something else.
 */
final class HoldBackSession implements SendSession {
  private final MessageSender sender;

  /** Completes when the latest call is through: whether everything so far was accepted. */
  private CompletableFuture<Boolean> accepted = CompletableFuture.completedFuture(true);

  private volatile boolean closed;

  HoldBackSession(MessageSender sender) {
    this.sender = sender;
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    List<CompletableFuture<SendOutcome>> outcomes = new ArrayList<>(messages.size());
    messages.forEach(message -> outcomes.add(new CompletableFuture<>()));
    CompletableFuture<Void> all =
        CompletableFuture.allOf(outcomes.toArray(CompletableFuture<?>[]::new));
    CompletableFuture<Boolean> before = accepted;
    accepted =
        all.thenCombine(
            before,
            (done, soFar) ->
                soFar
                    && outcomes.stream()
                        .allMatch(outcome -> outcome.join() instanceof SendOutcome.Accepted));
    var unused = before.thenAccept(goOn -> handOver(messages, outcomes, goOn));
    return List.copyOf(outcomes);
  }

  private void handOver(
      List<Message> messages, List<CompletableFuture<SendOutcome>> outcomes, boolean goOn) {
    if (!goOn || closed) {
      String why = closed ? "the session was closed" : "one before it in its session failed";
      outcomes.forEach(outcome -> outcome.complete(new SendOutcome.Unknown("not sent: " + why)));
      return;
    }
    SafeSend.send(
        sender::send, sender, messages, (index, outcome) -> outcomes.get(index).complete(outcome));
  }

  @Override
  public void close() {
    closed = true;
  }
}
