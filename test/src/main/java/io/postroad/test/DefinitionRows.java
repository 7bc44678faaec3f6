package io.postroad.test;

import io.postroad.message.PostroadException;
import io.postroad.spi.process.StoredDefinition;
import io.postroad.spi.process.StoredDefinitions;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The definitions of processes, and when each was kept first and last. Guarded by the lock of the
 * database.
 */
final class DefinitionRows implements StoredDefinitions {
  private final Database database;
  private final Map<Id, Row> rows = new HashMap<>();

  private record Id(String type, String hash) {}

  private record Row(StoredDefinition definition, Instant keptSince, Instant keptAt) {}

  DefinitionRows(Database database) {
    this.database = database;
  }

  @Override
  public void keep(StoredDefinition definition) {
    synchronized (database) {
      Id id = new Id(definition.type(), definition.hash());
      @Nullable Row known = rows.get(id);
      if (known != null && !known.definition().equals(definition)) {
        throw new PostroadException(
            "cannot keep the definition of process %s with hash %s: another graph has this hash"
                .formatted(id.type(), id.hash()));
      }
      Instant now = database.now();
      rows.put(id, new Row(definition, known == null ? now : known.keptSince(), now));
    }
  }

  @Override
  public Optional<StoredDefinition> find(String type, String hash) {
    synchronized (database) {
      return Optional.ofNullable(rows.get(new Id(type, hash))).map(Row::definition);
    }
  }

  @Override
  public Optional<Instant> keptSince(String type, String hash) {
    synchronized (database) {
      return Optional.ofNullable(rows.get(new Id(type, hash))).map(Row::keptSince);
    }
  }

  void purge(Instant before) {
    synchronized (database) {
      Map<String, Instant> newest = new HashMap<>();
      rows.forEach(
          (id, row) ->
              newest.merge(id.type(), row.keptAt(), (one, two) -> one.isAfter(two) ? one : two));
      rows.entrySet()
          .removeIf(
              row ->
                  row.getValue().keptAt().isBefore(before)
                      && row.getValue().keptAt().isBefore(newest.get(row.getKey().type()))
                      && !database.processes.has(row.getKey().type(), row.getKey().hash()));
    }
  }
}
