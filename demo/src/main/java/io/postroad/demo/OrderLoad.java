package io.postroad.demo;

import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Customers that order all the time, and sometimes roll back before the commit. */
final class OrderLoad {
  private final OrderService orders;
  private final Transactions<Connection> transactions;
  private final Ledger ledger;
  private final ScheduledExecutorService threads;
  private final List<ScheduledFuture<?>> customers = new ArrayList<>();

  private OrderLoad(
      OrderService orders, Transactions<Connection> transactions, Ledger ledger, int threads) {
    this.orders = orders;
    this.transactions = transactions;
    this.ledger = ledger;
    this.threads = Executors.newScheduledThreadPool(threads, OrderLoad::daemon);
  }

  static OrderLoad start(
      OrderService orders, Transactions<Connection> transactions, Ledger ledger, DemoPlan plan) {
    OrderLoad load = new OrderLoad(orders, transactions, ledger, plan.customersAtOnce());
    long everyMicros = 1_000_000L * plan.customersAtOnce() / plan.ordersPerSecond();
    for (int i = 1; i <= plan.customersAtOnce(); i++) {
      Runnable customer = load.new Customer("customer-" + i, plan.rollBackEvery())::order;
      load.customers.add(
          load.threads.scheduleAtFixedRate(customer, 0, everyMicros, TimeUnit.MICROSECONDS));
    }
    return load;
  }

  /** Stops after the running orders; fails if a customer could not order. */
  void stop() throws InterruptedException {
    threads.shutdown();
    if (!threads.awaitTermination(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("running orders have not ended within 30 s");
    }
    for (ScheduledFuture<?> customer : customers) {
      if (customer.isDone() && !customer.isCancelled()) {
        rethrow(customer);
      }
    }
  }

  private static void rethrow(ScheduledFuture<?> customer) throws InterruptedException {
    try {
      customer.get();
    } catch (ExecutionException failed) {
      throw new IllegalStateException(
          "an order failed, so the counts are not valid", failed.getCause());
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "customer");
    thread.setDaemon(true);
    return thread;
  }

  /** Places one order at a time, so that the numbers follow the commits. */
  private final class Customer {
    private final String name;
    private final int rollBackEvery;
    private int visits;
    private int orderNumber = 1;

    Customer(String name, int rollBackEvery) {
      this.name = name;
      this.rollBackEvery = rollBackEvery;
    }

    void order() {
      Order order = new Order(UUID.randomUUID(), name, orderNumber, 100 + 7L * visits);
      try {
        if (++visits % rollBackEvery == 0) {
          rollBack(order);
        } else {
          ledger.committed(orders.place(order));
          orderNumber++;
        }
      } catch (SQLException failed) {
        throw new IllegalStateException("could not place " + order, failed);
      }
    }

    /** Places the order inside a larger transaction, which fails. */
    private void rollBack(Order order) throws SQLException {
      try {
        transactions.run(
            connection -> {
              ledger.rolledBack(orders.place(order));
              throw new RollbackException();
            });
      } catch (RollbackException rolledBack) {
        // As intended: neither the order nor its event exists.
      }
    }
  }

  private static final class RollbackException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
