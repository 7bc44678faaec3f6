package io.postroad.internal.relay;

import io.postroad.internal.loop.ErrorText;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Hands messages to a sender, and gives an outcome for each even if the sender does not. */
public final class SafeSend {
  private SafeSend() {}

  /** Hands the messages over, and gives each outcome with its index exactly once, on any thread. */
  public static void send(
      Function<List<Message>, List<CompletionStage<SendOutcome>>> handOver,
      MessageSender sender,
      List<Message> messages,
      ObjIntConsumer<SendOutcome> listener) {
    @Nullable List<CompletionStage<SendOutcome>> stages;
    try {
      stages = handOver.apply(messages);
    } catch (RuntimeException | Error failed) {
      SendOutcome unknown = new SendOutcome.Unknown("send failed: " + ErrorText.of(failed));
      for (int i = 0; i < messages.size(); i++) {
        listener.accept(unknown, i);
      }
      return;
    }
    for (int i = 0; i < messages.size(); i++) {
      int index = i;
      @Nullable CompletionStage<SendOutcome> stage =
          stages != null && i < stages.size() ? stages.get(i) : null;
      if (stage == null) {
        String error = "sender '%s' gave no outcome for it".formatted(sender.name());
        listener.accept(new SendOutcome.Unknown(error), index);
      } else {
        stage.whenComplete((outcome, error) -> listener.accept(known(outcome, error), index));
      }
    }
  }

  /** Returns the outcome of a message whose sender gave none in time. */
  public static SendOutcome.Unknown noOutcome(MessageSender sender) {
    return new SendOutcome.Unknown(
        "no outcome from sender '%s' within its timeout of %s"
            .formatted(sender.name(), sender.timeout()));
  }

  @SuppressWarnings("NullAway") // whenComplete hands over one of the two, the other is null
  private static SendOutcome known(SendOutcome outcome, Throwable error) {
    return outcome != null ? outcome : new SendOutcome.Unknown(ErrorText.of(error));
  }
}
