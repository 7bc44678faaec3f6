package io.postroad.spring.boot;

import io.postroad.command.CommandObserver;
import io.postroad.inbox.InboxObserver;
import io.postroad.outbox.OutboxObserver;
import io.postroad.process.ProcessObserver;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;

/** All observers of the application as one. They are in the order of {@code @Order}. */
final class Observers {
  private Observers() {}

  static OutboxObserver ofOutbox(ObjectProvider<OutboxObserver> observers) {
    List<OutboxObserver> all = observers.orderedStream().toList();
    return signal -> all.forEach(each -> each.on(signal));
  }

  static InboxObserver ofInbox(ObjectProvider<InboxObserver> observers) {
    List<InboxObserver> all = observers.orderedStream().toList();
    return signal -> all.forEach(each -> each.on(signal));
  }

  static CommandObserver ofCommands(ObjectProvider<CommandObserver> observers) {
    List<CommandObserver> all = observers.orderedStream().toList();
    return signal -> all.forEach(each -> each.on(signal));
  }

  static ProcessObserver ofProcesses(ObjectProvider<ProcessObserver> observers) {
    List<ProcessObserver> all = observers.orderedStream().toList();
    return signal -> all.forEach(each -> each.on(signal));
  }
}
