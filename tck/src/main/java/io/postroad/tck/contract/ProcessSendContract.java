package io.postroad.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxOptions;
import io.postroad.process.ProcessStatus;
import io.postroad.store.StoredProcess;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.ProcessScene.ConvertCommand;
import io.postroad.tck.contract.ProcessScene.CreditCommand;
import io.postroad.tck.contract.ProcessScene.DebitCommand;
import io.postroad.tck.contract.ProcessScene.NotifyCommand;
import io.postroad.tck.contract.ProcessScene.UndoCreditCommand;
import io.postroad.tck.contract.ProcessScene.UndoDebitCommand;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A command that cannot be sent is a failure of its own step: the one before it was done. */
@StoreContract
@OrderedOnly
final class ProcessSendContract {
  private static final String QUEUE = "APP.CMD.OTHER.Q";
  private static final String REPLIES = "APP.CMD.REPLY.Q";

  @Test
  void aCommandThatIsTooLargeFailsItsOwnStepForGood(StoreUnderTest tck) throws Exception {
    ProcessScene scene = sending(tck, "Credit", 1_000);
    scene.when("Debit", context -> Map.of("account", "temporary".repeat(200)));

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.log(id))
        .containsExactly(
            "ProcessStarted",
            "StepStarted Debit",
            "StepCompleted Debit",
            "StepFailed Credit",
            "ProcessCompensating",
            "CompensationStarted Debit",
            "CompensationCompleted Debit",
            "ProcessCompensated");
    assertThat(scene.effects()).containsExactly("Debit", "UndoDebit");
    assertThat(scene.calls).as("each was tried once").containsExactly("Debit", "UndoDebit");
    assertThat(failure(scene, id)).contains("step Credit", "the limit is 1000");
  }

  @Test
  void aCommandThatCannotBeWrittenFailsItsOwnStepForGood(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .then(CreditCommand.class)
                    .withCompensation(UndoCreditCommand.class)
                    .withInput(data -> Map.of("account", new Unreadable()))
                    .end());

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.calls).containsExactly("Debit", "UndoDebit");
    assertThat(failure(scene, id)).contains("step Credit", "cannot be sent");
  }

  @Test
  void aBranchIsNotBegunBesideOneThatCannotBeSent(StoreUnderTest tck) throws Exception {
    ProcessScene scene =
        ProcessScene.of(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .thenParallel()
                    .branch(branch -> branch.startWith(ConvertCommand.class))
                    .branch(
                        branch ->
                            branch
                                .startWith(CreditCommand.class)
                                .withInput(data -> Map.of("account", new Unreadable())))
                    .joinAt(NotifyCommand.class)
                    .end());

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.calls).containsExactly("Debit", "UndoDebit");
    assertThat(scene.log(id)).contains("StepFailed Credit").doesNotContain("StepCompleted Convert");
  }

  /** What JSON cannot be made of. */
  public static final class Unreadable {
    private final Iterator<String> names = Collections.emptyIterator();

    public String getName() {
      return names.next();
    }
  }

  @Test
  void anUndoThatIsTooLargeWaitsForSomebody(StoreUnderTest tck) throws Exception {
    ProcessScene scene = sending(tck, "UndoDebit", 20);
    scene.fails("Credit", "closed");

    UUID id = scene.run("payment-1");

    scene.endsAs(id, ProcessStatus.FAILED);
    assertThat(scene.log(id)).contains("StepFailed Credit").endsWith("ProcessFailed");
    assertThat(scene.calls).containsExactly("Debit", "Credit");
    StoredProcess stored = scene.store().find(id).orElseThrow();
    assertThat(stored.failureKind()).contains("COMPENSATION_FAILED");
    assertThat(failure(scene, id)).contains("closed", "the limit is 20");
  }

  private static String failure(ProcessScene scene, UUID id) {
    return scene.store().find(id).orElseThrow().failure().orElseThrow();
  }

  /** Commands of this type go to another service, by an outbox that takes no more than so much. */
  private static ProcessScene sending(StoreUnderTest tck, String type, int maxBytes)
      throws Exception {
    Outbox<Object> outbox =
        Outbox.over(
            tck.store(),
            OutboxOptions.defaults().withMaxPayloadBytes(maxBytes),
            OutboxObserver.none());
    return ProcessScene.of(
        tck,
        ProcessScene.configuration(
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .then(CreditCommand.class)
                    .end()),
        bus -> bus.outbox(outbox).send(type, QUEUE).replyTo(REPLIES).owner("bank"),
        builder -> builder);
  }
}
