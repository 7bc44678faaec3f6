package io.postroad.tck.contract;

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
          AsideContract.class,
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
          LaneBoardContract.class,
          LaneFencingContract.class,
          HeldBackContract.class,
          HeldTakeContract.class,
          ParkedKeyContract.class,
          CommandAcceptContract.class,
          CommandClaimContract.class,
          CommandEndContract.class,
          CommandFlowContract.class,
          CommandTroubleContract.class,
          CommandMessageContract.class,
          CommandHereContract.class,
          CommandCarryContract.class,
          EndedTransactionContract.class,
          ProcessStartContract.class,
          ProcessSaveContract.class,
          LastTogetherContract.class,
          ProcessTimerContract.class,
          ProcessLookContract.class,
          ProcessPurgeContract.class,
          ProcessParkContract.class,
          ProcessFlowContract.class,
          ProcessCarryContract.class,
          ProcessTroubleContract.class,
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
          LaneAsideContract.class,
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
