package io.postroad.benchmarks.process;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that each request one transfer after the other. */
final class Crowd {
  private Crowd() {}

  /** Requests one transfer and returns when it has ended. */
  interface Client {
    void transfer(int number) throws Exception;
  }

  static List<Long> run(int transfers, Client client) throws Exception {
    AtomicInteger next = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(ProcessBench.CONCURRENCY);
    try {
      List<Callable<List<Long>>> clients = new ArrayList<>();
      for (int i = 0; i < ProcessBench.CONCURRENCY; i++) {
        clients.add(
            () -> {
              List<Long> took = new ArrayList<>();
              for (int number = next.getAndIncrement();
                  number < transfers;
                  number = next.getAndIncrement()) {
                long began = System.nanoTime();
                client.transfer(number);
                took.add(System.nanoTime() - began);
              }
              return took;
            });
      }
      List<Long> all = new ArrayList<>();
      for (Future<List<Long>> one : threads.invokeAll(clients)) {
        all.addAll(one.get());
      }
      return all;
    } finally {
      threads.shutdown();
    }
  }
}
