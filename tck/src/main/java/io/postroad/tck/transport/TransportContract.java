package io.postroad.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.admin.OutboxAdmin;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.JsonHandler;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.JsonCodec;
import io.postroad.message.JsonCodecException;
import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.message.TraceContext;
import io.postroad.store.DeadLetter;
import io.postroad.store.Decision;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What every way from an outbox to handlers must do. Extend it for a transport; a suite ends with
 * the line {@code tck transport-NAME passed=N failed=N skipped=N}.
 *
 * @param <T> what a transaction of its stores is
 */
@ExtendWith(TransportReport.class)
@Timeout(180)
public abstract class TransportContract<T> extends ProcessTransportContract<T> {
  private static final Decision DECISION = new Decision("operator", "contract");

  /** Name of the transport in the report, one word. */
  protected abstract String name();

  /** Stores for one test; closed at its end. */
  protected abstract TransportStores<T> openStores() throws Exception;

  /** Whether messages go through a broker; otherwise the outbox itself has the dead letters. */
  protected boolean hasBroker() {
    return true;
  }

  @Test
  void everythingOfAMessageArrives() throws Exception {
    List<Message> arrived = new CopyOnWriteArrayList<>();
    String destination = newDestination();
    try (TransportScene<T> scene =
        TransportScene.open(
            this,
            Handlers.<T>builder()
                .onAny(destination, "h", (message, context) -> arrived.add(message)))) {
      Message text =
          Message.command("ReserveStock")
              .to(destination)
              .aggregate("Order", "order-4711")
              .key("customer 17 \u00e4\u4f60")
              .header("tenant-region", "eu-central-1")
              .header("X-Weird_Name.1", "a: b, c=\"d\"; 100% \\ 'e' <f> \ud83d\ude00")
              .header("_leading", "x")
              .header("9digits", "y")
              .header("empty", "")
              .trace(
                  TraceContext.of(
                      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                      "vendor=opaque",
                      "user=4711"))
              .json("{\"text\":\"\u00e4 \u4f60 \ud83d\ude00\"}")
              .tenant("acme")
              .schemaVersion(3)
              .build();
      Message bytes =
          Message.event("Scanned")
              .to(destination)
              .payload(Payload.bytes(new byte[] {0, 1, (byte) 0xff, 2}, "image/x-scan"))
              .build();
      Message likeText =
          Message.event("Scanned")
              .to(destination)
              .payload(Payload.bytes("text?".getBytes(StandardCharsets.UTF_8), "image/x-scan"))
              .build();
      Message xml =
          Message.reply("Reserved")
              .to(destination)
              .payload(Payload.text("<ok/>", "application/xml"))
              .build();
      Message empty =
          Message.event("Empty").to(destination).payload(Payload.text("", "text/plain")).build();

      scene.append(text, bytes, likeText, xml, empty);

      scene.eventually(
          () -> assertThat(arrived).containsExactlyInAnyOrder(text, bytes, likeText, xml, empty));
    }
  }

  /** Between two services; without a broker, within one. */
  @Test
  void aCommandIsHandledWhereItIsSentAndItsReplyComesBack() throws Exception {
    String queue = newDestination();
    String replies = newDestination();
    UnaryOperator<CommandBus.Builder<T>> asks =
        builder -> builder.send("CreateOrder", queue).replyTo(replies).owner("asking");
    UnaryOperator<CommandBus.Builder<T>> does = builder -> builder.handlers(creatingOrders());
    Map<String, String> queues = Map.of("CreateOrder", queue);
    try (CommandService<T> asking =
            hasBroker()
                ? new CommandService<>(this, asks, Map.of())
                : new CommandService<>(this, builder -> asks.apply(does.apply(builder)), queues);
        CommandService<T> doing = hasBroker() ? new CommandService<>(this, does, queues) : asking) {
      List<CompletableFuture<CommandReply>> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        waiting.add(asking.bus().submit(order(i)));
      }
      for (int i = 0; i < 20; i++) {
        CommandReply reply = waiting.get(i).get(120, TimeUnit.SECONDS);
        if (i == 13) {
          assertThat(reply)
              .isInstanceOfSatisfying(
                  CommandReply.Failed.class,
                  failed ->
                      assertThat(failed.error()).isEqualTo("IllegalStateException: no stock"));
        } else {
          assertThat(reply)
              .isInstanceOfSatisfying(
                  CommandReply.Completed.class,
                  completed -> assertThat(completed.data()).containsValue("key-" + reply(reply)));
        }
      }
      assertThat(doing.bus().types()).contains("CreateOrder");
    }
  }

  private static String reply(CommandReply reply) {
    return String.valueOf(((CommandReply.Completed) reply).data().get("number"));
  }

  private AutoCommandHandlerRegistry<T> creatingOrders() {
    return CommandService.<T>registry()
        .on(
            "CreateOrder",
            Order.class,
            (order, context) -> {
              if (order.number() == 13) {
                throw new IllegalStateException("no stock");
              }
              return Map.of("number", order.number(), "key", context.idempotencyKey());
            })
        .build();
  }

  /** What a command of this contract says. */
  private record Order(int number) {}

  private static CommandRequest order(int number) {
    return CommandRequest.of(
        "CreateOrder", "key-" + number, "order-" + number, "{\"number\":%d}".formatted(number));
  }

  @Test
  void aMessageThatIsSentAgainHasItsEffectOnce() throws Exception {
    String destination = newDestination();
    Effects effects = new Effects();
    try (TransportScene<T> scene =
        TransportScene.open(this, Handlers.<T>builder().onAny(destination, "h", effects.of()))) {
      Message message = named(destination, "one", "a");
      Message last = named(destination, "last", "a");

      scene.send(message);
      scene.send(message);
      scene.send(last);

      scene.eventually(() -> assertThat(effects.names()).containsExactly("h one", "h last"));
    }
  }

  @Test
  void twoHandlersOfOneMessageHaveItOnceEach() throws Exception {
    String destination = newDestination();
    Effects effects = new Effects();
    try (TransportScene<T> scene =
        TransportScene.open(
            this,
            Handlers.<T>builder()
                .onAny(destination, "audit", effects.of())
                .on(destination, "OrderPlaced", "billing", effects.of())
                .on(destination, "OrderPaid", "ledger", effects.of()))) {
      scene.append(named(destination, "one", "a"));

      scene.eventually(
          () -> assertThat(effects.names()).containsExactlyInAnyOrder("audit one", "billing one"));
    }
  }

  @Test
  void messagesOfAKeyArriveInOrder() throws Exception {
    String destination = newDestination();
    Effects effects = new Effects();
    try (TransportScene<T> scene =
        TransportScene.open(this, Handlers.<T>builder().onAny(destination, "h", effects.of()))) {
      Map<String, List<String>> expected = new TreeMap<>();
      for (int i = 0; i < 25; i++) {
        for (int key = 0; key < 8; key++) {
          String name = "k" + key + "-" + i;
          scene.append(named(destination, name, "k" + key));
          expected.computeIfAbsent("k" + key, k -> new ArrayList<>()).add("h " + name);
        }
      }

      scene.eventually(() -> assertThat(effects.names()).hasSize(200));
      expected.forEach(
          (key, names) ->
              assertThat(effects.names().stream().filter(name -> name.startsWith("h " + key + "-")))
                  .as("order of key %s", key)
                  .containsExactlyElementsOf(names));
    }
  }

  @Test
  void aPoisonMessageHoldsUpItsKeyOnlyAndItsKeyGoesOnInOrder() throws Exception {
    String destination = newDestination();
    Effects effects = new Effects();
    try (TransportScene<T> scene =
        TransportScene.open(this, Handlers.<T>builder().onAny(destination, "h", effects.of()))) {
      effects.fail("a1", new IllegalStateException("not now"));
      scene.append(named(destination, "a0", "a"), named(destination, "a1", "a"));
      for (int i = 0; i < 20; i++) {
        scene.append(
            named(destination, "a" + (i + 2), "a"), named(destination, "b" + i, "b" + i % 4));
      }

      scene.eventually(
          () ->
              assertThat(effects.names().stream().filter(name -> name.startsWith("h b")))
                  .hasSize(20));
      assertThat(effects.names().stream().filter(name -> name.startsWith("h a")))
          .as("the key of the poison message")
          .containsExactly("h a0");
      effects.recover("a1");
      List<String> all = new ArrayList<>();
      for (int i = 0; i < 22; i++) {
        all.add("h a" + i);
      }
      scene.eventually(
          () ->
              assertThat(effects.names().stream().filter(name -> name.startsWith("h a")))
                  .containsExactlyElementsOf(all));
    }
  }

  @Test
  void aPermanentFailureIsADeadLetterWithHeadersAndErrorThatCanBeReplayed() throws Exception {
    String destination = newDestination();
    Effects effects = new Effects();
    try (TransportScene<T> scene =
        TransportScene.open(this, Handlers.<T>builder().onAny(destination, "h", effects.of()))) {
      effects.fail("a1", new PermanentFailure("no such customer"));
      scene.append(named(destination, "a1", "a"), named(destination, "a2", "a"));

      scene.eventually(() -> assertThat(scene.deadLetters()).hasSize(1));
      DeadLetter dead = scene.deadLetters().get(0);
      assertThat(dead.error()).contains("PermanentFailure: no such customer");
      assertThat(dead.message().headers()).containsEntry("name", "a1");
      assertThat(dead.message().key()).contains("a");
      assertThat(effects.names()).isEmpty();

      effects.recover("a1");
      OutboxAdmin.over(scene.deadLetterStore()).replay(dead.id(), DECISION);
      scene.eventually(() -> assertThat(effects.names()).containsExactly("h a1", "h a2"));
    }
  }

  @Test
  void aBodyThatCannotBeReadIsADeadLetterWithItsBytes() throws Exception {
    String destination = newDestination();
    Effects effects = new Effects();
    try (TransportScene<T> scene =
        TransportScene.open(
            this,
            Handlers.<T>builder()
                .onAny(
                    destination,
                    "h",
                    JsonHandler.of(
                        new StrictCodec(),
                        String.class,
                        (value, message, context) -> effects.<T>of().handle(message, context))))) {
      byte[] notUtf8 = {'{', '"', (byte) 0xc3, (byte) 0x28, '"', '}'};
      String deep = "[".repeat(10_000);
      scene.append(
          builder(destination, "bad-utf8").payload(Payload.bytes(notUtf8, Payload.JSON)).build(),
          builder(destination, "bad-json").json("{\"a\":").build(),
          builder(destination, "deep").json(deep).build(),
          builder(destination, "good").json("{}").build());

      scene.eventually(() -> assertThat(scene.deadLetters()).hasSize(3));
      scene.eventually(() -> assertThat(effects.names()).containsExactly("h good"));
      DeadLetter badText = scene.deadLetterNamed("bad-utf8");
      assertThat(badText.message().payload().bytes()).isEqualTo(notUtf8);
      assertThat(badText.error()).contains("not UTF-8 text");
      assertThat(scene.deadLetterNamed("bad-json").message().payload().bytes())
          .isEqualTo("{\"a\":".getBytes(StandardCharsets.UTF_8));
      DeadLetter tooDeep = scene.deadLetterNamed("deep");
      assertThat(tooDeep.message().payload().size()).isEqualTo(10_000);
      assertThat(tooDeep.error()).contains("JsonCodecException");
    }
  }

  @Test
  void aLargeMessageArrives() throws Exception {
    String destination = newDestination();
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    try (TransportScene<T> scene =
        TransportScene.open(
            this,
            Handlers.<T>builder()
                .onAny(
                    destination, "h", (message, context) -> sizes.add(message.payload().size())))) {
      String body = "\"" + "x".repeat(900 * 1024) + "\"";
      scene.append(builder(destination, "large").key("a").json(body).build());

      scene.eventually(() -> assertThat(sizes).containsExactly(body.length()));
    }
  }

  @Test
  void whatWasSentWhileNobodyReceivedArrivesLater() throws Exception {
    String destination = newDestination();
    Effects effects = new Effects();
    try (TransportScene<T> scene =
        TransportScene.open(this, Handlers.<T>builder().onAny(destination, "h", effects.of()))) {
      scene.append(named(destination, "a0", "a"));
      scene.eventually(() -> assertThat(effects.names()).containsExactly("h a0"));
      scene.stopReceiving();
      scene.append(named(destination, "a1", "a"), named(destination, "a2", "a"));
      scene.startReceiving();

      scene.eventually(() -> assertThat(effects.names()).containsExactly("h a0", "h a1", "h a2"));
    }
  }

  private static Message named(String destination, String name, String key) {
    return builder(destination, name).key(key).json("{\"order\":42}").build();
  }

  private static Message.Builder builder(String destination, String name) {
    return Message.event("OrderPlaced").to(destination).header("name", name);
  }

  /** Notes what handlers did, and fails where it is told to. */
  static final class Effects {
    private final List<String> names = new CopyOnWriteArrayList<>();
    private final Map<String, Exception> failing = new ConcurrentHashMap<>();

    List<String> names() {
      return names;
    }

    void fail(String name, Exception failure) {
      failing.put(name, failure);
    }

    void recover(String name) {
      failing.remove(name);
    }

    /** The last thing of its transaction: a commit in memory does not fail. */
    <T> io.postroad.inbox.MessageHandler<T> of() {
      return (message, context) -> {
        String name = message.headers().getOrDefault("name", "unnamed");
        Exception failure = failing.get(name);
        if (failure != null) {
          throw failure;
        }
        names.add(context.handler() + " " + name);
      };
    }
  }

  /** Takes an object or array without anything in it, and nothing deeper. */
  private static final class StrictCodec implements JsonCodec {
    private static final Set<String> TAKEN = Set.of("{}", "[]");

    @Override
    public String encode(Object value) {
      return String.valueOf(value);
    }

    @Override
    public <V> V decode(String json, Class<V> type) {
      if (!TAKEN.contains(json)) {
        throw new JsonCodecException(
            "cannot read %d characters as %s".formatted(json.length(), type.getName()),
            new IllegalArgumentException("not JSON that this codec takes"));
      }
      return type.cast(json);
    }
  }
}
