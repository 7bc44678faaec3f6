package io.postroad.tck.contract;

import io.postroad.tck.contract.admin.AdminContract;
import io.postroad.tck.contract.admin.AuditContract;
import io.postroad.tck.contract.admin.BlockedDestinationContract;
import io.postroad.tck.contract.admin.BlockedKeyContract;
import io.postroad.tck.contract.admin.DeadLetterContract;
import io.postroad.tck.contract.admin.DoctorContract;
import io.postroad.tck.contract.admin.PauseContract;
import io.postroad.tck.contract.admin.ReplayContract;
import io.postroad.tck.contract.admin.ReplayFencingContract;
import io.postroad.tck.contract.command.CommandAcceptContract;
import io.postroad.tck.contract.command.CommandClaimContract;
import io.postroad.tck.contract.command.CommandEndContract;
import io.postroad.tck.contract.command.CommandFlowContract;
import io.postroad.tck.contract.command.CommandHandoffContract;
import io.postroad.tck.contract.command.CommandHereContract;
import io.postroad.tck.contract.command.CommandMessageContract;
import io.postroad.tck.contract.command.CommandTroubleContract;
import io.postroad.tck.contract.command.EndedTransactionContract;
import io.postroad.tck.contract.inbox.InboxContract;
import io.postroad.tck.contract.inbox.InboxFlowContract;
import io.postroad.tck.contract.inbox.LocalHandlingContract;
import io.postroad.tck.contract.lane.BlockedMessageContract;
import io.postroad.tck.contract.lane.BlockedTakeContract;
import io.postroad.tck.contract.lane.LaneBacklogContract;
import io.postroad.tck.contract.lane.LaneChaosContract;
import io.postroad.tck.contract.lane.LaneDestinationContract;
import io.postroad.tck.contract.lane.LaneFencingContract;
import io.postroad.tck.contract.lane.LaneLeaseContract;
import io.postroad.tck.contract.lane.LaneReadContract;
import io.postroad.tck.contract.lane.LaneRetentionContract;
import io.postroad.tck.contract.lane.LaneSchedulingContract;
import io.postroad.tck.contract.lane.LaneSpreadContract;
import io.postroad.tck.contract.lane.MembershipContract;
import io.postroad.tck.contract.lane.StragglerContract;
import io.postroad.tck.contract.outbox.AfterCommitContract;
import io.postroad.tck.contract.outbox.AppendContract;
import io.postroad.tck.contract.outbox.BacklogContract;
import io.postroad.tck.contract.outbox.ClaimContract;
import io.postroad.tck.contract.outbox.ConcurrentClaimContract;
import io.postroad.tck.contract.outbox.ConcurrentDeduplicationContract;
import io.postroad.tck.contract.outbox.DeduplicationContract;
import io.postroad.tck.contract.outbox.FencingContract;
import io.postroad.tck.contract.outbox.LeaseContract;
import io.postroad.tck.contract.outbox.LockKeysContract;
import io.postroad.tck.contract.outbox.MigrationContract;
import io.postroad.tck.contract.outbox.RecoveryContract;
import io.postroad.tck.contract.outbox.RetentionContract;
import io.postroad.tck.contract.outbox.RoundTripContract;
import io.postroad.tck.contract.outbox.SchedulingContract;
import io.postroad.tck.contract.outbox.SettleContract;
import io.postroad.tck.contract.outbox.SettleInTransactionContract;
import io.postroad.tck.contract.outbox.StreamClaimContract;
import io.postroad.tck.contract.outbox.TransactionContract;
import io.postroad.tck.contract.outbox.UnitOfWorkContract;
import io.postroad.tck.contract.outbox.WakeUpContract;
import io.postroad.tck.contract.outbox.WorkersContract;
import io.postroad.tck.contract.process.BatchedCommitContract;
import io.postroad.tck.contract.process.ProcessExplainContract;
import io.postroad.tck.contract.process.ProcessFailureContract;
import io.postroad.tck.contract.process.ProcessFlowContract;
import io.postroad.tck.contract.process.ProcessHandoffContract;
import io.postroad.tck.contract.process.ProcessOperateContract;
import io.postroad.tck.contract.process.ProcessPurgeContract;
import io.postroad.tck.contract.process.ProcessQueryContract;
import io.postroad.tck.contract.process.ProcessReleaseContract;
import io.postroad.tck.contract.process.ProcessReplyContract;
import io.postroad.tck.contract.process.ProcessSaveContract;
import io.postroad.tck.contract.process.ProcessScenarioContract;
import io.postroad.tck.contract.process.ProcessSendContract;
import io.postroad.tck.contract.process.ProcessStartContract;
import io.postroad.tck.contract.process.ProcessTimerContract;
import io.postroad.tck.contract.process.ProcessUndoContract;
import io.postroad.tck.contract.process.ProcessWaitingReplyContract;
import io.postroad.tck.contract.relay.RelayContract;
import io.postroad.tck.contract.relay.RelayFailureContract;
import io.postroad.tck.contract.relay.RelayGateContract;
import io.postroad.tck.contract.relay.RelayGateOrderContract;
import io.postroad.tck.contract.relay.RelayLeaseContract;
import io.postroad.tck.contract.relay.RelayLifeCycleContract;
import io.postroad.tck.contract.relay.RelayOrderContract;
import io.postroad.tck.contract.relay.RelayPoisonContract;
import io.postroad.tck.contract.relay.RelayUnansweredContract;
import io.postroad.tck.contract.relay.RelayWakeUpContract;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every contract. A suite in which one of its contracts did not run fails. The lists are kept by
 * hand, so that a contract that a scan does not find is missed.
 */
public final class Contracts {
  /** For both kinds of stores. */
  static final List<Class<?>> COMMON =
      List.of(
          AppendContract.class,
          RoundTripContract.class,
          TransactionContract.class,
          UnitOfWorkContract.class,
          AfterCommitContract.class,
          DeduplicationContract.class,
          ConcurrentDeduplicationContract.class,
          MigrationContract.class,
          WakeUpContract.class,
          DeadLetterContract.class,
          ReplayContract.class,
          AuditContract.class,
          PauseContract.class,
          AdminContract.class,
          DoctorContract.class,
          RelayContract.class,
          RelayFailureContract.class,
          RelayLifeCycleContract.class,
          RelayGateContract.class,
          RelayWakeUpContract.class);

  /** For stores that hand out single messages. */
  static final List<Class<?>> COMPETING =
      List.of(
          SchedulingContract.class,
          ClaimContract.class,
          ConcurrentClaimContract.class,
          LeaseContract.class,
          FencingContract.class,
          ReplayFencingContract.class,
          SettleContract.class,
          SettleInTransactionContract.class,
          StreamClaimContract.class,
          WorkersContract.class,
          BlockedDestinationContract.class,
          RetentionContract.class,
          BacklogContract.class,
          RelayLeaseContract.class);

  /** For stores that hand out lanes. */
  static final List<Class<?>> ORDERED =
      List.of(
          LaneReadContract.class,
          StragglerContract.class,
          LaneChaosContract.class,
          LaneSpreadContract.class,
          LaneLeaseContract.class,
          MembershipContract.class,
          LaneFencingContract.class,
          BlockedMessageContract.class,
          BlockedTakeContract.class,
          BlockedKeyContract.class,
          CommandAcceptContract.class,
          CommandClaimContract.class,
          CommandEndContract.class,
          CommandFlowContract.class,
          CommandTroubleContract.class,
          CommandMessageContract.class,
          CommandHereContract.class,
          CommandHandoffContract.class,
          EndedTransactionContract.class,
          ProcessStartContract.class,
          ProcessSaveContract.class,
          BatchedCommitContract.class,
          ProcessTimerContract.class,
          ProcessQueryContract.class,
          ProcessPurgeContract.class,
          ProcessWaitingReplyContract.class,
          ProcessFlowContract.class,
          ProcessHandoffContract.class,
          ProcessFailureContract.class,
          ProcessUndoContract.class,
          ProcessReplyContract.class,
          ProcessOperateContract.class,
          ProcessExplainContract.class,
          ProcessReleaseContract.class,
          ProcessSendContract.class,
          ProcessScenarioContract.class,
          InboxContract.class,
          InboxFlowContract.class,
          LocalHandlingContract.class,
          LaneDestinationContract.class,
          LaneSchedulingContract.class,
          LockKeysContract.class,
          LaneBacklogContract.class,
          LaneRetentionContract.class,
          RecoveryContract.class,
          RelayOrderContract.class,
          RelayUnansweredContract.class,
          RelayPoisonContract.class,
          RelayGateOrderContract.class);

  private Contracts() {}

  public static List<Class<?>> ofCompetingStores() {
    return join(COMMON, COMPETING);
  }

  public static List<Class<?>> ofOrderedStores() {
    return join(COMMON, ORDERED);
  }

  private static List<Class<?>> join(List<Class<?>> common, List<Class<?>> own) {
    return Stream.concat(common.stream(), own.stream()).toList();
  }
}
