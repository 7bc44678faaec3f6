package io.postroad.test;

import io.postroad.store.AuditEntry;
import io.postroad.store.DeadLetter;
import io.postroad.store.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The decisions of operators. Guarded by the lock of its {@link Database}. */
final class Audit {
  private final List<AuditEntry> entries = new ArrayList<>();

  void write(Instant at, String action, DeadLetter letter, Decision decision, String more) {
    write(at, action, letter.id().toString(), decision, AuditEntry.about(letter) + more);
  }

  void write(Instant at, String action, String subject, Decision decision, String detail) {
    entries.add(new AuditEntry(at, decision.by(), action, subject, decision.reason(), detail));
  }

  List<AuditEntry> latest(Optional<String> subject, int limit) {
    List<AuditEntry> found =
        new ArrayList<>(
            entries.stream()
                .filter(entry -> subject.isEmpty() || entry.subject().equals(subject.get()))
                .toList());
    Collections.reverse(found);
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }

  int purge(Instant before, int limit) {
    List<AuditEntry> old =
        entries.stream().filter(entry -> entry.at().isBefore(before)).limit(limit).toList();
    entries.removeAll(old);
    return old.size();
  }
}
