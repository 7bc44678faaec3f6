package io.postroad.mongodb.internal.queue;

import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Lease;
import io.postroad.mongodb.internal.client.Names;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether this node may claim at all. */
public interface Exclusive {
  /** Every node may. */
  Exclusive NEVER =
      new Exclusive() {
        @Override
        public boolean mayClaim(Duration leaseFor) {
          return true;
        }

        @Override
        public void release() {}
      };

  /** Prolongs the right for as long as what is claimed now is leased. */
  boolean mayClaim(Duration leaseFor);

  /** Lets another node have it at once. */
  void release();

  /** Lets one node at a time claim: the holder of a lease in the database. */
  static Exclusive of(Database database, String table) {
    Logger log = LoggerFactory.getLogger(Exclusive.class);
    Lease lease =
        new Lease(database.collection(Names.LEASE), database.time(), "exclusive/" + table);
    return new Exclusive() {
      private volatile boolean standsBy;

      @Override
      public boolean mayClaim(Duration leaseFor) {
        boolean holds = lease.hold(leaseFor);
        if (!holds && !standsBy) {
          log.info("mongodb: stands by; another node holds the exclusive claim of {}", table);
        }
        standsBy = !holds;
        return holds;
      }

      @Override
      public void release() {
        try {
          Database.call(
              "release the exclusive claim of " + table,
              () -> {
                lease.release();
                return true;
              });
        } catch (PostroadException failed) {
          log.debug("mongodb: the exclusive claim of {} ends by itself", table, failed);
        }
      }
    };
  }
}
