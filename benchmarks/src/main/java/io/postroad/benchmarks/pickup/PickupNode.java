package io.postroad.benchmarks.pickup;

import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.process.BaseProcessManager;
import io.postroad.schema.SchemaMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A node in its own JVM: a relay, a command bus and processes, until it reads a line of input. */
final class PickupNode {
  static final String READY = "READY";
  static final String STOPPED = "STOPPED";

  private PickupNode() {}

  public static void main(String[] args) throws Exception {
    try (PickupStores<?> stores = PickupStores.open(args[0], SchemaMode.VERIFY)) {
      run(stores, args[1]);
    }
  }

  private static <T> void run(PickupStores<T> stores, String name) throws IOException {
    try (OutboxRelay relay =
            OutboxRelay.builder(stores.outbox(), new Accepting())
                .options(RelayOptions.defaults().withName(name))
                .build();
        BaseProcessManager<T> manager = PickupWork.manager(stores, name)) {
      relay.start();
      manager.start();
      System.out.println(READY);
      BufferedReader orders =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String unused = orders.readLine();
      relay.stop();
      manager.stop();
      System.out.println(STOPPED);
    }
  }

  /** Accepts each message at once. */
  private static final class Accepting implements MessageSender {
    @Override
    public String name() {
      return "accepting";
    }

    @Override
    public Duration timeout() {
      return Duration.ofSeconds(1);
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      return messages.stream()
          .<CompletionStage<SendOutcome>>map(
              message -> CompletableFuture.completedFuture(new SendOutcome.Accepted(Map.of())))
          .toList();
    }

    @Override
    public void close() {}
  }
}
