package io.postroad.faults;

import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A relay in a process of its own, to be killed or frozen. Prints {@value #READY}, then what {@link
 * SignalLines} and {@link HeldUpSender} print; the line {@value #GO_ON} on its input ends a
 * hold-up.
 */
final class RelayProcess {
  static final String READY = "READY";
  static final String GO_ON = "go on";

  private RelayProcess() {}

  public static void main(String[] line) throws Exception {
    RelayArgs args = RelayArgs.parse(line);
    KafkaSenderOptions toKafka =
        KafkaSenderOptions.of(args.bootstrapServers())
            .withSendTimeout(Duration.ofMillis(1500))
            .withSetting("max.block.ms", 1000);
    try (OpenOutbox<?> outbox =
            args.database().open(StoreKind.COMPETING, args.name(), new StopPoints());
        HeldUpSender sender = new HeldUpSender(KafkaSender.create(toKafka), args.holdUp());
        OutboxRelay relay =
            OutboxRelay.builder(outbox.store(), sender)
                .options(options(args, sender))
                .observer(new SignalLines())
                .build()) {
      relay.start();
      System.out.println(READY);
      obey(sender);
    }
  }

  private static void obey(HeldUpSender sender) throws IOException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = input.readLine(); order != null; order = input.readLine()) {
      if (order.equals(GO_ON)) {
        sender.goOn();
      }
    }
  }

  private static RelayOptions options(RelayArgs args, MessageSender sender) {
    return RelayOptions.defaults()
        .withName(args.name())
        .withLeaseFor(sender.timeout().plus(args.leaseMargin()))
        // A kill costs an attempt of every message in flight; none may die of our kills.
        .withMaxAttempts(1000)
        .withBackoff(
            Backoff.defaults().withFirst(Duration.ofMillis(200)).withMax(Duration.ofSeconds(1)));
  }
}
