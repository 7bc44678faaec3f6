package io.postroad.tck;

import io.postroad.spi.OutboxStore;
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
  public OutboxStore<Object> open() {
    return Assumptions.abort("there is no store");
  }

  @Override
  public OutboxStore<Object> openAnother(OutboxStore<Object> first) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void advance(Duration by) {}

  @Override
  public Object begin(OutboxStore<Object> store) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void commit(Object transaction) {}

  @Override
  public void rollback(Object transaction) {}

  @Override
  public Object notATransaction(OutboxStore<Object> store) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void release(Object notATransaction) {}

  @Override
  public void close() {}
}
