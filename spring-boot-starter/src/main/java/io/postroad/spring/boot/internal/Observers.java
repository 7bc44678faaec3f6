package io.postroad.spring.boot.internal;

import io.postroad.command.CommandObserver;
import io.postroad.inbox.InboxObserver;
import io.postroad.outbox.OutboxObserver;
import io.postroad.process.ProcessObserver;
import io.postroad.spring.boot.RetryLineObserver;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * All observers of the application as one. They are in the order of {@code @Order}, and one that
 * throws keeps no other from hearing.
 */
public final class Observers {
  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

  private Observers() {}

  public static OutboxObserver ofOutbox(ObjectProvider<OutboxObserver> observers) {
    List<OutboxObserver> all = observers.orderedStream().toList();
    return signal -> tell(all, each -> each.on(signal));
  }

  public static OutboxObserver ofRetryLine(ObjectProvider<RetryLineObserver> observers) {
    List<RetryLineObserver> all = observers.orderedStream().toList();
    return signal -> tell(all, each -> each.on(signal));
  }

  public static InboxObserver ofInbox(ObjectProvider<InboxObserver> observers) {
    List<InboxObserver> all = observers.orderedStream().toList();
    return signal -> tell(all, each -> each.on(signal));
  }

  public static CommandObserver ofCommands(ObjectProvider<CommandObserver> observers) {
    List<CommandObserver> all = observers.orderedStream().toList();
    return signal -> tell(all, each -> each.on(signal));
  }

  public static ProcessObserver ofProcesses(ObjectProvider<ProcessObserver> observers) {
    List<ProcessObserver> all = observers.orderedStream().toList();
    return signal -> tell(all, each -> each.on(signal));
  }

  private static <O> void tell(List<O> observers, Consumer<O> signal) {
    for (O observer : observers) {
      try {
        signal.accept(observer);
      } catch (RuntimeException | Error failed) {
        LOG.warn("an observer failed; observer={}", observer.getClass().getName(), failed);
      }
    }
  }
}
