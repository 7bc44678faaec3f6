package io.postroad.tck.contract.relay;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.store.OrderKey;
import io.postroad.tck.contract.scene.RecordingSender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Keeps the order of a call as every sender must: what is behind a failed one does not go out. */
public final class KeyKeepingSender implements MessageSender {
  private final RecordingSender sender;

  public KeyKeepingSender(RecordingSender sender) {
    this.sender = sender;
  }

  @Override
  public String name() {
    return sender.name();
  }

  @Override
  public Duration timeout() {
    return sender.timeout();
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    Set<OrderKey> failed = new HashSet<>();
    List<CompletionStage<SendOutcome>> stages = new ArrayList<>();
    for (Message message : messages) {
      OrderKey key = OrderKey.of(message);
      CompletionStage<SendOutcome> stage =
          failed.contains(key)
              ? CompletableFuture.completedFuture(new SendOutcome.Unknown("not sent"))
              : sender.send(List.of(message)).get(0);
      if (!(stage.toCompletableFuture().join() instanceof SendOutcome.Accepted)) {
        failed.add(key);
      }
      stages.add(stage);
    }
    return stages;
  }

  @Override
  public void close() {}
}
