package io.postroad.micronaut;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandContext;
import io.postroad.command.DomainCommand;
import io.postroad.inbox.Handlers;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Beans that applications of tests have when they ask for them, by the property test.beans. */
public final class Beans {
  public static final String ASKED = "test.beans";

  private Beans() {}

  /** Something that messages are sent to. */
  @Factory
  @Requires(property = ASKED, pattern = ".*sender.*")
  static class Senders {
    @Singleton
    MessageSender sender() {
      return new RecordingSender();
    }
  }

  @Factory
  @Requires(property = ASKED, pattern = ".*handlers.*")
  static class MessageHandlers {
    final List<String> handled = new CopyOnWriteArrayList<>();

    @Singleton
    Handlers<Connection> handlers() {
      return Handlers.<Connection>builder()
          .onAny("things", "note", (message, context) -> handled.add(message.type()))
          .build();
    }
  }

  record GreetCommand(String name) implements DomainCommand {}

  record ShoutCommand(String name) implements DomainCommand {}

  /** One handler with advice, one without; it needs the bus that its own handlers are in. */
  @Singleton
  @Requires(property = ASKED, pattern = ".*greeter.*")
  public static class Greeter {
    public final CommandBus<Connection> bus;
    final Transactions<Connection> transactions;

    Greeter(CommandBus<Connection> bus, Transactions<Connection> transactions) {
      this.bus = bus;
      this.transactions = transactions;
    }

    /** What the advice is for can be seen: the transaction is not that of the bus. */
    @Transactional(Transactional.TxType.REQUIRES_NEW)
    public String greet(GreetCommand command) {
      Object ofTheBus = CommandContext.current().orElseThrow().transaction();
      return "own transaction: " + (transactions.current().orElseThrow() != ofTheBus);
    }

    public String shout(ShoutCommand command) {
      return command.name() + "!";
    }
  }

  @Singleton
  @Requires(property = ASKED, pattern = ".*another.*")
  static class AnotherGreeter {
    public void greet(GreetCommand command) {}
  }

  record NobodyCommand(String name) implements DomainCommand {}

  @Singleton
  @Requires(property = ASKED, pattern = ".*unhandled.*")
  static class Unhandled implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "Unhandled";
    }

    @Override
    public ProcessGraph defineProcess() {
      return process().startWith(NobodyCommand.class).end();
    }
  }
}
