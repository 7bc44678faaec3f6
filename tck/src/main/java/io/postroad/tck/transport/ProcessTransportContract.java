package io.postroad.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandSignal;
import io.postroad.inbox.Inbox;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.process.ProcessStatus;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.process.ProcessStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * What a transport must do for processes whose steps are done by another service: one service has
 * the processes, another one with a database of its own handles two of their steps, and all that
 * they know of each other are messages. Part of {@link TransportContract}, which is what to extend.
 *
 * @param <T> what a transaction of its stores is
 */
public abstract class ProcessTransportContract<T> {
  private static final int MANY = 10;

  /** A topic, queue or stream that exists and has no messages. */
  protected abstract String newDestination() throws Exception;

  /** The outbox of a service with a database of its own, which has nothing in it yet. */
  protected abstract OrderedStore<T> openService() throws Exception;

  /** The inbox in the database of such a service. */
  protected abstract InboxStore<T> openInbox(OrderedStore<T> service) throws Exception;

  /** The commands in the database of such a service. */
  protected abstract CommandStore<T> openCommands(OrderedStore<T> service) throws Exception;

  /** The processes in the database of such a service. */
  protected abstract ProcessStore<T> openProcesses(OrderedStore<T> service) throws Exception;

  /** Puts the clocks of the databases of such services forward; they go on from there. */
  protected abstract void advance(Duration by) throws Exception;

  /**
   * What the relay of an outbox sends to; closed at the end of the test.
   *
   * @param inbox where messages go when there is no broker
   */
  protected abstract MessageSender openSender(Inbox<T> inbox) throws Exception;

  /** Has messages of the inbox's destinations received until it is closed. */
  protected abstract AutoCloseable receive(Inbox<T> inbox) throws Exception;

  @Test
  void stepsAreDoneByAnotherServiceAndItsRepliesMoveTheProcess() throws Exception {
    try (TwoServices<T> services = TwoServices.open(this)) {
      services.answer();
      List<UUID> ids = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        ids.add(services.start("transfer-" + i));
      }

      for (int i = 0; i < MANY; i++) {
        UUID id = ids.get(i);
        String key = "transfer-" + i;
        services.endsAs(id, ProcessStatus.SUCCEEDED);
        assertThat(services.here(key)).containsExactly("Reserve", "Notify");
        assertThat(services.there(key)).containsExactly("Convert", "Credit");
        assertThat(services.data(id))
            .as("what the other service replied, to this process")
            .containsEntry("conversion", "converted " + key)
            .containsEntry("credit", "credited converted " + key)
            .containsEntry("noted", "credited converted " + key);
      }
    }
  }

  @Test
  void aStepThatFailsThereIsUndoneThere() throws Exception {
    try (TwoServices<T> services = TwoServices.open(this)) {
      services.answer();
      services.failCredits("InsufficientFunds");

      UUID id = services.start("transfer-1");

      services.endsAs(id, ProcessStatus.COMPENSATED);
      assertThat(services.there("transfer-1"))
          .containsExactly("Convert", "UndoConvert converted transfer-1");
      assertThat(services.here("transfer-1")).containsExactly("Reserve", "UndoReserve");
      assertThat(services.failure(id)).contains("Credit", "InsufficientFunds");
    }
  }

  /** Its reply is under way when it is given up, so that it was done is only known afterwards. */
  @Test
  void aStepThatIsNotAnsweredTimesOutAndItsLateReplyIsUndoneAgain() throws Exception {
    try (TwoServices<T> services = TwoServices.open(this)) {
      UUID id = services.start("transfer-1");
      Eventually.holds(() -> assertThat(services.there("transfer-1")).containsExactly("Convert"));
      assertThat(services.log(id)).endsWith("StepStarted Convert");

      advance(TwoServices.STEP_LIMIT.plusMinutes(1));
      Eventually.holds(() -> assertThat(services.there("transfer-1")).hasSize(2));
      assertThat(services.log(id)).endsWith("CompensationStarted Convert");
      services.answer();

      Eventually.holds(
          () ->
              assertThat(Collections.frequency(services.log(id), "CompensationCompleted Convert"))
                  .isEqualTo(2));
      services.endsAs(id, ProcessStatus.COMPENSATED);
      assertThat(services.there("transfer-1").get(0)).isEqualTo("Convert");
      assertThat(services.there("transfer-1").subList(1, 3))
          .as("the second one knows what the late reply said")
          .allMatch(undo -> undo.startsWith("UndoConvert"))
          .endsWith("UndoConvert converted transfer-1");
      assertThat(services.here("transfer-1")).containsExactly("Reserve", "UndoReserve");
      assertThat(services.log(id))
          .containsOnlyOnce("StepTimedOut Convert", "LateEffect Convert", "ProcessCompensated")
          .doesNotContain("StepStarted Credit");
    }
  }

  @Test
  void aReplyThatComesAgainChangesNothing() throws Exception {
    CountDownLatch credits = new CountDownLatch(1);
    try (TwoServices<T> services = TwoServices.open(this)) {
      services.answer();
      services.holdCredits(credits);
      UUID id = services.start("transfer-1");
      Eventually.holds(() -> assertThat(services.log(id)).endsWith("StepStarted Credit"));
      List<String> log = services.log(id);

      UUID converted = services.command(id, "Convert");
      for (int i = 1; i <= 3; i++) {
        services.replyAgain(converted, "forged");
        int times = i;
        Eventually.holds(() -> assertThat(ignored(services, converted)).isEqualTo(times));
      }
      assertThat(services.log(id)).isEqualTo(log);
      credits.countDown();

      services.endsAs(id, ProcessStatus.SUCCEEDED);
      List<String> ended = services.log(id);
      services.replyAgain(converted, "forged");
      services.replyAgain(services.command(id, "Credit"), "forged");
      Eventually.holds(() -> assertThat(ignored(services, converted)).isEqualTo(4));
      Eventually.holds(
          () -> assertThat(ignored(services, services.command(id, "Credit"))).isEqualTo(1));
      assertThat(services.log(id)).isEqualTo(ended).doesNotContain("LateEffect Convert");
      assertThat(services.data(id)).containsEntry("conversion", "converted transfer-1");
      assertThat(services.there("transfer-1")).containsExactly("Convert", "Credit");
      services.endsAs(id, ProcessStatus.SUCCEEDED);
    }
  }

  private static long ignored(TwoServices<?> services, UUID command) {
    return services.signals().stream()
        .filter(new CommandSignal.ReplyIgnored(command)::equals)
        .count();
  }
}
