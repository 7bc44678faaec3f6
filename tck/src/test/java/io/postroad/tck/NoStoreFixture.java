package io.postroad.tck;

import io.postroad.store.CompetingStore;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/** A fixture that has no store to show, so that every test of it is skipped. */
public class NoStoreFixture implements StoreFixture<Object> {
  @Override
  public String name() {
    return "no-store";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public CompetingStore<Object> open() {
    return Assumptions.abort("there is no store");
  }

  @Override
  public CompetingStore<Object> openAnother(CompetingStore<Object> first) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void advance(Duration by) {}

  @Override
  public Object begin(CompetingStore<Object> store) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void commit(Object transaction) {}

  @Override
  public void rollback(Object transaction) {}

  @Override
  public Object notATransaction(CompetingStore<Object> store) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void release(Object notATransaction) {}

  @Override
  public void close() {}
}
