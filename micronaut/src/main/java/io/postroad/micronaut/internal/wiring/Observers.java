package io.postroad.micronaut.internal.wiring;

import io.postroad.command.CommandObserver;
import io.postroad.inbox.InboxObserver;
import io.postroad.micronaut.RetryLineObserver;
import io.postroad.outbox.OutboxObserver;
import io.postroad.process.ProcessObserver;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All observers of the application as one. They are in the order of {@code @Order}, and one that
 * throws keeps no other from hearing.
 */
final class Observers {
  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

  private Observers() {}

  static OutboxObserver ofOutbox(List<OutboxObserver> all) {
    return signal -> tell(all, each -> each.on(signal));
  }

  static OutboxObserver ofRetryLine(List<RetryLineObserver> all) {
    return signal -> tell(all, each -> each.on(signal));
  }

  static InboxObserver ofInbox(List<InboxObserver> all) {
    return signal -> tell(all, each -> each.on(signal));
  }

  static CommandObserver ofCommands(List<CommandObserver> all) {
    return signal -> tell(all, each -> each.on(signal));
  }

  static ProcessObserver ofProcesses(List<ProcessObserver> all) {
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
