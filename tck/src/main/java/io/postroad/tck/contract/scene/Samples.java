package io.postroad.tck.contract.scene;

import io.postroad.message.Message;
import io.postroad.message.TraceContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Messages for tests. */
public final class Samples {
  public static final String TRACEPARENT =
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private Samples() {}

  public static Message.Builder builder() {
    return Message.event("OrderPlaced").to("orders").json("{\"order\":42}");
  }

  public static Message message() {
    return builder().build();
  }

  public static Message withKey(String deduplicationKey) {
    return builder().deduplicationKey(deduplicationKey).build();
  }

  /** One whose order matters. */
  public static Message ordered(String key) {
    return builder().key(key).build();
  }

  /** So many of one key. */
  public static List<Message> ordered(String key, int count) {
    return IntStream.range(0, count).mapToObj(i -> ordered(key)).toList();
  }

  public static Message notBefore(Instant time) {
    return builder().notBefore(time).build();
  }

  public static List<Message> messages(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Message.event("Counted").to("counts").json("{\"n\":" + i + "}").build())
        .toList();
  }

  public static List<UUID> ids(List<Message> messages) {
    return messages.stream().map(Message::id).toList();
  }

  /** Every part of a message set to something that is not its default. */
  public static Message whole(Instant notBefore) {
    return Message.command("ReserveStock")
        .to("stock.commands")
        .aggregate("Order", "order-4711")
        .key("customer-17")
        .header("tenant-region", "eu-central-1")
        .header("X-Weird_Name.1", "a: b, c=\"d\"; 100% \\ 'e' <f>")
        .header("empty", "")
        .trace(TraceContext.of(TRACEPARENT, "vendor=opaque,other=1", "user=4711,plan=gold"))
        .json("{\"sku\":\"A-1\",\"count\":3}")
        .deduplicationKey("reserve/order-4711/1")
        .notBefore(notBefore.truncatedTo(ChronoUnit.MILLIS))
        .tenant("acme")
        .schemaVersion(3)
        .build();
  }
}
