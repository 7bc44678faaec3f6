package io.postroad.tck.contract;

import java.util.List;

/** Every contract. A suite in which one of them did not run fails. */
public final class Contracts {
  /** Kept by hand, so that a contract that a scan does not find is missed. */
  public static final List<Class<?>> ALL =
      List.of(
          AppendContract.class,
          RoundTripContract.class,
          TransactionContract.class,
          UnitOfWorkContract.class,
          AfterCommitContract.class,
          DeduplicationContract.class,
          ConcurrentDeduplicationContract.class,
          SchedulingContract.class,
          ClaimContract.class,
          ConcurrentClaimContract.class,
          LeaseContract.class,
          FencingContract.class,
          SettleContract.class,
          RetentionContract.class,
          BacklogContract.class,
          MigrationContract.class,
          WakeUpContract.class,
          RelayContract.class,
          RelayFailureContract.class,
          RelayLifeCycleContract.class,
          RelayWakeUpContract.class);

  private Contracts() {}
}
