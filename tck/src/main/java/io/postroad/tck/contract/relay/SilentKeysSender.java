package io.postroad.tck.contract.relay;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.tck.contract.scene.RecordingSender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Accepts every message at once, except those of some keys, for which it never has an outcome. */
final class SilentKeysSender implements MessageSender {
  private final Set<String> silent = ConcurrentHashMap.newKeySet();
  private final List<Message> arrived = new CopyOnWriteArrayList<>();
  private final List<Message> unanswered = new CopyOnWriteArrayList<>();

  void silence(String key) {
    silent.add(key);
  }

  /** From now on it accepts every message. */
  void answerAll() {
    silent.clear();
  }

  /** The accepted messages, in order. */
  List<Message> arrived() {
    return List.copyOf(arrived);
  }

  /** The messages that got no outcome, in order. */
  List<Message> unanswered() {
    return List.copyOf(unanswered);
  }

  @Override
  public String name() {
    return "silent-keys";
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(1);
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    List<CompletionStage<SendOutcome>> stages = new ArrayList<>();
    for (Message message : messages) {
      if (silent.contains(message.key().orElseThrow())) {
        unanswered.add(message);
        stages.add(new CompletableFuture<>());
      } else {
        arrived.add(message);
        stages.add(CompletableFuture.completedFuture(RecordingSender.accepted()));
      }
    }
    return stages;
  }

  @Override
  public void close() {}
}
