package io.postroad.faults;

import io.postroad.spi.process.ProcessStore;

/**
 * Processes, and the commands in the same database; closes both.
 *
 * @param <T> what a transaction is
 */
record OpenProcesses<T>(ProcessStore<T> processes, OpenCommands<T> commands)
    implements AutoCloseable {
  @Override
  public void close() throws Exception {
    processes.close();
    commands.close();
  }
}
