package io.postroad.postgres;

import io.postroad.spi.OutboxStore;
import io.postroad.tck.Capability;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The ordered store of PostgreSQL for the TCK. */
public final class PostgresOrderedFixture extends PostgresFixture {
  private int lanes = 1;

  public PostgresOrderedFixture() throws SQLException {}

  @Override
  public String name() {
    return "postgres-ordered";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(
        EnumSet.of(Capability.HELD_ROWS, Capability.UNIQUE_IDS, Capability.STREAMS));
  }

  @Override
  public Map<Capability, String> lacks() {
    return Map.of(
        Capability.STREAMS,
        "of competing stores only",
        Capability.HELD_ROWS,
        "of competing stores only",
        Capability.UNIQUE_IDS,
        "the log has no unique index on the id, which would slow down every append");
  }

  @Override
  public OutboxStore<Connection> open() throws SQLException {
    return open(1);
  }

  @Override
  public OutboxStore<Connection> open(int newLanes) throws SQLException {
    lanes = newLanes;
    database.reset();
    database.setLanes(newLanes);
    return PostgresOrderedStore.open(service, database.options().withLanes(newLanes));
  }

  @Override
  public OutboxStore<Connection> openAnother(OutboxStore<Connection> first) {
    return PostgresOrderedStore.open(service, database.options().withLanes(lanes));
  }

  @Override
  public void forgetMemory(OutboxStore<Connection> store) throws SQLException {
    database.execute("TRUNCATE outbox_awake");
  }

  @Override
  public void changeCluster(OutboxStore<Connection> store) throws SQLException {
    database.execute("TRUNCATE outbox_awake; UPDATE outbox_cursor SET system_id = system_id + 1");
  }
}
