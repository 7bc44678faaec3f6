package io.postroad.outbox;

import io.postroad.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Hands messages over and answers for a sender that does not keep its side of the contract. */
final class SafeSend {
  private SafeSend() {}

  /** One stage per message, in order, none of which completes with an exception or with null. */
  static List<CompletionStage<SendOutcome>> send(
      Function<List<Message>, List<CompletionStage<SendOutcome>>> handOver,
      MessageSender sender,
      List<Message> messages) {
    @Nullable List<CompletionStage<SendOutcome>> stages;
    try {
      stages = handOver.apply(messages);
    } catch (RuntimeException | Error failed) {
      return unknown(messages, "send failed: " + ErrorText.of(failed));
    }
    List<CompletionStage<SendOutcome>> safe = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      @Nullable CompletionStage<SendOutcome> stage =
          stages != null && i < stages.size() ? stages.get(i) : null;
      safe.add(
          stage == null
              ? outcome(
                  new SendOutcome.Unknown(
                      "sender '%s' gave no outcome for it".formatted(sender.name())))
              : stage.handle(SafeSend::known));
    }
    return safe;
  }

  static List<CompletionStage<SendOutcome>> unknown(List<Message> messages, String error) {
    CompletionStage<SendOutcome> outcome = outcome(new SendOutcome.Unknown(error));
    return messages.stream().map(message -> outcome).toList();
  }

  private static CompletionStage<SendOutcome> outcome(SendOutcome outcome) {
    return CompletableFuture.completedFuture(outcome);
  }

  @SuppressWarnings("NullAway") // handle hands over one of the two, the other is null
  private static SendOutcome known(SendOutcome outcome, Throwable error) {
    return outcome != null ? outcome : new SendOutcome.Unknown(ErrorText.of(error));
  }
}
