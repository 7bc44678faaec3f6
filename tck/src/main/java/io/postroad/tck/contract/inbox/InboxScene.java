package io.postroad.tck.contract.inbox;

import io.postroad.inbox.HandlerContext;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.inbox.InboxSignal;
import io.postroad.inbox.Incoming;
import io.postroad.inbox.MessageHandler;
import io.postroad.message.Message;
import io.postroad.spi.InboxStore;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Relays;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

/**
 * An inbox over a store under test, whose retry line is its outbox, with handlers that note what
 * was committed and fail where they are told to.
 */
public final class InboxScene {
  public static final String ORDERS = "orders";
  public static final String BILLING = "billing";

  public final List<String> effects = new CopyOnWriteArrayList<>();
  public final List<String> calls = new CopyOnWriteArrayList<>();
  public final List<InboxSignal> signals = new CopyOnWriteArrayList<>();
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final StoreUnderTest tck;
  private final InboxStore<Object> store;
  private final Inbox<Object> inbox;
  private volatile BiFunction<String, Message, Exception> failure =
      (handler, message) -> new IllegalStateException("cannot handle " + nameOf(message) + " now");

  private InboxScene(
      StoreUnderTest tck,
      BiFunction<InboxScene, Handlers.Builder<Object>, Handlers.Builder<Object>> register,
      InboxOptions options)
      throws Exception {
    this.tck = tck;
    this.store = tck.inbox();
    Handlers<Object> handlers = register.apply(this, Handlers.builder()).build();
    this.inbox =
        tck.closedAtEnd(
            Inbox.builder(store, handlers)
                .retries(tck.ordered())
                .options(options)
                .observer(signals::add)
                .build());
  }

  public static InboxScene of(
      StoreUnderTest tck,
      BiFunction<InboxScene, Handlers.Builder<Object>, Handlers.Builder<Object>> register)
      throws Exception {
    return of(tck, register, options());
  }

  static InboxScene of(
      StoreUnderTest tck,
      BiFunction<InboxScene, Handlers.Builder<Object>, Handlers.Builder<Object>> register,
      InboxOptions options)
      throws Exception {
    return new InboxScene(tck, register, options);
  }

  /** One handler of everything. */
  static InboxScene billing(StoreUnderTest tck) throws Exception {
    return of(tck, (scene, handlers) -> handlers.onAny(ORDERS, BILLING, scene.noting()));
  }

  static InboxOptions options() {
    return InboxOptions.defaults()
        .withName("inbox-1")
        .withRetries(Relays.options().withName("inbox-1-retry").withBreakAfter(0));
  }

  Inbox<Object> inbox() {
    return inbox;
  }

  InboxStore<Object> store() {
    return store;
  }

  /** A handler that notes its calls, and what it committed. */
  public MessageHandler<Object> noting() {
    return this::note;
  }

  private void note(Message message, HandlerContext<Object> context) throws Exception {
    String effect = context.handler() + " " + nameOf(message);
    calls.add(effect);
    if (failing.contains(nameOf(message)) || failing.contains(effect)) {
      throw failure.apply(context.handler(), message);
    }
    if (store.transactions().current().isPresent()) {
      store.transactions().afterCommit(() -> effects.add(effect));
    } else {
      effects.add(effect);
    }
  }

  void fail(String... names) {
    failing.addAll(List.of(names));
  }

  /** Lets one handler fail, and others handle the message. */
  void failFor(String handler, String name) {
    failing.add(handler + " " + name);
  }

  void failWith(BiFunction<String, Message, Exception> failure) {
    this.failure = failure;
  }

  void recover(String... names) {
    for (String name : names) {
      failing.removeIf(failed -> failed.equals(name) || failed.endsWith(" " + name));
    }
  }

  /** A message that its broker delivers; it gets as far as it can. */
  void receive(Incoming incoming) {
    if (!inbox.receive(incoming, () -> false)) {
      throw new AssertionError("not dealt with: " + incoming.messageId());
    }
  }

  public void receive(Message... messages) {
    for (Message message : messages) {
      receive(Incoming.of(message));
    }
  }

  /** Works off what is due in the retry line. */
  void retry() {
    inbox.runOnce();
  }

  /** The same, once the wait after a failure is over. */
  public void retryLater() throws Exception {
    tck.advance(Relays.FIRST_WAIT.multipliedBy(8));
    retry();
  }

  public static Message named(String name, String key) {
    return builder(name).key(key).build();
  }

  static Message.Builder builder(String name) {
    return Message.event("OrderPlaced").to(ORDERS).header("name", name).json("{\"order\":42}");
  }

  static List<Message> named(String key, List<String> names) {
    List<Message> messages = new ArrayList<>();
    names.forEach(name -> messages.add(named(name, key)));
    return messages;
  }

  private static String nameOf(Message message) {
    return message.headers().getOrDefault("name", "unnamed");
  }
}
