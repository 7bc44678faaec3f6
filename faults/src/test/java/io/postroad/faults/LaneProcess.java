package io.postroad.faults;

import io.postroad.kafka.KafkaSender;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A relay of the ordered outbox in a process of its own, to be killed or frozen. Prints {@value
 * #READY}, then what {@link SignalLines} and {@link StopPoints} print. Lines on its input: {@value
 * #STOP_AT} and a {@link Point}; {@value #STOP}, for a clean end.
 */
final class LaneProcess {
  static final String READY = "READY";
  static final String STOP_AT = "stop at ";
  static final String STOP = "stop";

  private LaneProcess() {}

  public static void main(String[] line) throws Exception {
    LaneArgs args = LaneArgs.parse(line);
    StopPoints points = new StopPoints();
    try (OpenOutbox<?> outbox = args.database().open(StoreKind.ORDERED, args.name(), points);
        MessageSender sender = new StoppingSender(KafkaSender.create(args.toKafka()), points);
        OutboxRelay relay =
            OutboxRelay.builder(StoppingStore.over(outbox.store(), points), sender)
                .options(args.toRelay())
                .observer(new SignalLines())
                .build()) {
      relay.start();
      System.out.println(READY);
      obey(points);
    }
  }

  private static void obey(StopPoints points) throws IOException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String order = input.readLine();
    while (order != null && !order.equals(STOP)) {
      points.arm(Point.valueOf(order.substring(STOP_AT.length())));
      order = input.readLine();
    }
  }
}
