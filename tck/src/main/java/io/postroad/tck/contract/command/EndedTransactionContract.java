package io.postroad.tck.contract.command;

import static io.postroad.tck.contract.command.CommandScene.event;
import static io.postroad.tck.contract.command.CommandScene.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandContext;
import io.postroad.command.CommandReply;
import io.postroad.inbox.InboxSignal;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.inbox.InboxScene;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A handler that ends the transaction which it was handed has failed, and nothing that it did after
 * that is committed.
 */
@StoreContract
@OrderedOnly
public final class EndedTransactionContract {

  @Test
  void aHandlerThatRollsBackAndReturnsHasFailed(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.behaviour =
        (command, context) -> {
          tck.rollBackInside(context.transaction(), false);
          return Map.of();
        };

    UUID id = scene.handle(request("key-1"));

    assertHasFailed(scene, scene.reply(id));
    assertThat(scene.handled).as("it is not tried again").hasSize(1);
  }

  @Test
  void aHandlerThatRollsBackAndGoesOnHasFailed(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.behaviour = (command, context) -> goOn(tck, context);

    UUID id = scene.handle(request("key-1"));

    assertHasFailed(scene, scene.reply(id));
  }

  /** Its run does not begin with a look at the row. */
  @Test
  void aHandlerOfACommandThatWasAcceptedHereRollsBackAndHasFailed(StoreUnderTest tck)
      throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.behaviour = (command, context) -> goOn(tck, context);
    scene.bus().start();

    CommandReply reply = scene.bus().submit(request("key-1")).get(120, TimeUnit.SECONDS);

    assertHasFailed(scene, reply);
  }

  /** From the broker, from the retry line, and then as it should be. */
  @Test
  void aMessageWhoseHandlerRollsBackWaitsForItsRetry(StoreUnderTest tck) throws Exception {
    InboxScene scene =
        InboxScene.of(
            tck,
            (noted, handlers) ->
                handlers.onAny(
                    InboxScene.ORDERS,
                    InboxScene.BILLING,
                    (message, context) -> {
                      noted.noting().handle(message, context);
                      if (noted.calls.size() < 3) {
                        tck.rollBackInside(context.transaction(), false);
                      }
                    }));
    Message message = InboxScene.named("one", "a");

    scene.receive(message);
    assertThat(scene.signals)
        .singleElement()
        .isInstanceOfSatisfying(
            InboxSignal.MovedToRetry.class,
            moved -> assertThat(moved.reason()).contains("on its transaction"));
    scene.retryLater();
    assertThat(scene.calls).hasSize(2);
    assertThat(scene.effects).isEmpty();
    scene.retryLater();

    assertThat(scene.effects).containsExactly("billing one");
  }

  private static Map<String, Object> goOn(StoreUnderTest tck, CommandContext<Object> context)
      throws Exception {
    tck.rollBackInside(context.transaction(), true);
    var unused = Outbox.over(tck.store()).append(context.transaction(), event("half"));
    return Map.of();
  }

  private static void assertHasFailed(CommandScene scene, CommandReply reply) throws Exception {
    assertThat(reply)
        .isInstanceOfSatisfying(
            CommandReply.Failed.class,
            failed -> assertThat(failed.error()).contains("transaction"));
    assertThat(scene.events()).isEmpty();
  }
}
