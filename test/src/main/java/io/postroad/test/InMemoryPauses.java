package io.postroad.test;

import io.postroad.spi.PauseStore;
import io.postroad.spi.WakeUps;
import io.postroad.store.AuditEntry;
import io.postroad.store.Decision;
import io.postroad.store.Pause;
import java.time.Instant;
import java.util.List;

/** The paused destinations of a database in memory, as one node sees them. */
final class InMemoryPauses implements PauseStore {
  private final Database database;
  private final WakeUps wakeUps;

  InMemoryPauses(Database database, WakeUps wakeUps) {
    this.database = database;
    this.wakeUps = wakeUps;
  }

  @Override
  public boolean pause(String destination, Decision decision) {
    PauseStore.checkDestination(destination);
    synchronized (database) {
      Instant now = database.now();
      Pause pause = new Pause(destination, now, decision.by(), decision.reason());
      if (database.pauses.putIfAbsent(destination, pause) != null) {
        return false;
      }
      database.audit.write(now, "pause", destination, decision, AuditEntry.PAUSED);
      return true;
    }
  }

  @Override
  public boolean resume(String destination, Decision decision) {
    PauseStore.checkDestination(destination);
    synchronized (database) {
      Pause pause = database.pauses.remove(destination);
      if (pause == null) {
        return false;
      }
      database.audit.write(
          database.now(), "resume", destination, decision, AuditEntry.about(pause));
    }
    wakeUps.signal();
    return true;
  }

  @Override
  public List<Pause> list() {
    synchronized (database) {
      return List.copyOf(database.pauses.values());
    }
  }
}
