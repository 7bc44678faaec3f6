package io.postroad.tck.sample;

import io.postroad.spi.OutboxStore;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreFixture;
import java.time.Duration;
import java.util.Set;

/** Opens {@link MapStore} for the contracts. */
public final class MapStoreFixture implements StoreFixture<MapStore.Transaction> {
  private MapStore.Data data = new MapStore.Data();

  @Override
  public String name() {
    return "map";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.UNIQUE_IDS, Capability.LONG_TEXTS);
  }

  @Override
  public OutboxStore<MapStore.Transaction> open() {
    data = new MapStore.Data();
    return new MapStore(data);
  }

  @Override
  public OutboxStore<MapStore.Transaction> openAnother(OutboxStore<MapStore.Transaction> first) {
    return new MapStore(data);
  }

  @Override
  public void advance(Duration by) {
    data.advance(by);
  }

  @Override
  public MapStore.Transaction begin(OutboxStore<MapStore.Transaction> store) {
    return new MapStore.Transaction(data);
  }

  @Override
  public void commit(MapStore.Transaction transaction) {
    transaction.commit();
  }

  @Override
  public void rollback(MapStore.Transaction transaction) {
    transaction.rollback();
  }

  @Override
  public MapStore.Transaction notATransaction(OutboxStore<MapStore.Transaction> store) {
    MapStore.Transaction ended = begin(store);
    ended.rollback();
    return ended;
  }

  @Override
  public void release(MapStore.Transaction notATransaction) {}

  @Override
  public void close() {}
}
