package io.postroad.test;

import io.postroad.spi.WakeUps;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hints to the listeners of all nodes, on the thread that signals. */
final class InMemoryWakeUps implements WakeUps {
  private static final Logger LOG = LoggerFactory.getLogger(InMemoryWakeUps.class);

  private final List<Listener> ofAllNodes;
  private final List<Listener> ofThisNode = new CopyOnWriteArrayList<>();

  private InMemoryWakeUps(List<Listener> ofAllNodes) {
    this.ofAllNodes = ofAllNodes;
  }

  static InMemoryWakeUps first() {
    return new InMemoryWakeUps(new CopyOnWriteArrayList<>());
  }

  InMemoryWakeUps another() {
    return new InMemoryWakeUps(ofAllNodes);
  }

  @Override
  public void signal() {
    for (Listener listener : ofAllNodes) {
      try {
        listener.action.run();
      } catch (RuntimeException e) {
        LOG.warn("in-memory: a wake-up listener failed; the others are called", e);
      }
    }
  }

  @Override
  public Subscription subscribe(Runnable action) {
    Listener listener = new Listener(action);
    ofThisNode.add(listener);
    ofAllNodes.add(listener);
    return listener;
  }

  void closeAll() {
    ofThisNode.forEach(Listener::close);
  }

  /** Two subscriptions of one action are two listeners. */
  private final class Listener implements Subscription {
    private final Runnable action;

    Listener(Runnable action) {
      this.action = action;
    }

    @Override
    public void close() {
      ofThisNode.remove(this);
      ofAllNodes.remove(this);
    }
  }
}
