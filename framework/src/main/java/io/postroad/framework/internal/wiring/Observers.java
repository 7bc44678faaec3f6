package io.postroad.framework.internal.wiring;

import io.postroad.command.CommandObserver;
import io.postroad.framework.RetryLineObserver;
import io.postroad.inbox.InboxObserver;
import io.postroad.outbox.OutboxObserver;
import io.postroad.process.ProcessObserver;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls all observers of the application in order; an exception of one does not stop the next. */
public final class Observers {
  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

  private Observers() {}

  public static OutboxObserver ofOutbox(List<OutboxObserver> all) {
    return signal -> tell(all, each -> each.on(signal));
  }

  public static OutboxObserver ofRetryLine(List<RetryLineObserver> all) {
    return signal -> tell(all, each -> each.on(signal));
  }

  public static InboxObserver ofInbox(List<InboxObserver> all) {
    return signal -> tell(all, each -> each.on(signal));
  }

  public static CommandObserver ofCommands(List<CommandObserver> all) {
    return signal -> tell(all, each -> each.on(signal));
  }

  public static ProcessObserver ofProcesses(List<ProcessObserver> all) {
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
