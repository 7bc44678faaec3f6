package io.postroad.internal.relay;

import io.postroad.internal.loop.ErrorText;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Hands messages over and answers for a sender that does not keep its side of the contract. */
public final class SafeSend {
  private SafeSend() {}

  /** Hears the outcome of a message of a call, once, on any thread. */
  @FunctionalInterface
  public interface Landing {
    void land(int index, SendOutcome outcome);
  }

  /** Hands the messages over; {@code landing} hears of each of them exactly once. */
  public static void send(
      Function<List<Message>, List<CompletionStage<SendOutcome>>> handOver,
      MessageSender sender,
      List<Message> messages,
      Landing landing) {
    @Nullable List<CompletionStage<SendOutcome>> stages;
    try {
      stages = handOver.apply(messages);
    } catch (RuntimeException | Error failed) {
      SendOutcome unknown = new SendOutcome.Unknown("send failed: " + ErrorText.of(failed));
      for (int i = 0; i < messages.size(); i++) {
        landing.land(i, unknown);
      }
      return;
    }
    for (int i = 0; i < messages.size(); i++) {
      int index = i;
      @Nullable CompletionStage<SendOutcome> stage =
          stages != null && i < stages.size() ? stages.get(i) : null;
      if (stage == null) {
        String error = "sender '%s' gave no outcome for it".formatted(sender.name());
        landing.land(index, new SendOutcome.Unknown(error));
      } else {
        stage.whenComplete((outcome, error) -> landing.land(index, known(outcome, error)));
      }
    }
  }

  /** The outcome of a message whose sender said nothing in time. */
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
