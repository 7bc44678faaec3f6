package io.postroad.faults;

import io.postroad.admin.OutboxAdmin;
import io.postroad.message.PostroadException;
import io.postroad.spi.DeadLetterStore;
import io.postroad.store.BlockedKey;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An operator in a process of its own, to be killed in the middle. Prints {@value #DONE} after
 * everything that was committed.
 */
final class AdminProcess {
  static final String DONE = "done";

  /** Decision of the operator, repeated until no dead letter is left. */
  enum Verb {
    REPLAY_ALL {
      @Override
      void run(OutboxAdmin admin) {
        if (admin.backlog().dead() > 0) {
          long unused =
              admin.replayAll(DeadLetterFilter.all(), DECISION, done -> System.out.println(DONE));
        }
      }
    },
    DISCARD_ALL {
      @Override
      void run(OutboxAdmin admin) {
        if (admin.backlog().dead() > 0) {
          long unused =
              admin.discardAll(DeadLetterFilter.all(), DECISION, done -> System.out.println(DONE));
        }
      }
    },
    RELEASE_EACH {
      @Override
      void run(OutboxAdmin admin) {
        for (List<BlockedKey> page = parked(admin); !page.isEmpty(); page = parked(admin)) {
          for (BlockedKey key : page) {
            admin.release(key.key(), DECISION);
            System.out.println(DONE);
          }
        }
      }
    };

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Decision DECISION = new Decision("operator", "the fault suite says so");

    abstract void run(OutboxAdmin admin);

    /**
     * The same call again for as long as what a killed operator had begun is in the way: MongoDB
     * keeps such a transaction for some seconds.
     */
    final void complete(OutboxAdmin admin) {
      long began = System.nanoTime();
      while (true) {
        try {
          run(admin);
          return;
        } catch (PostroadException inTheWay) {
          if (System.nanoTime() - began > PATIENCE.toNanos()) {
            throw inTheWay;
          }
        }
      }
    }

    private static List<BlockedKey> parked(OutboxAdmin admin) {
      return admin.blockedKeys(Optional.empty(), DeadLetterStore.MAX_IDS);
    }
  }

  private AdminProcess() {}

  public static void main(String[] args) throws Exception {
    try (OpenOutbox<?> outbox =
        DatabaseAddress.parse(args[0])
            .open(StoreKind.valueOf(args[1]), "operator", new StopPoints())) {
      Verb.valueOf(args[2]).complete(OutboxAdmin.over(outbox.store()));
    }
  }
}
