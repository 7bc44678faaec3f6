package io.postroad.spi.process;

import io.postroad.message.PostroadException;
import java.util.UUID;

/**
 * Thrown by {@link StoredProcesses#lockNow}: another transaction has the process locked. Nothing
 * was written. The caller rolls its transaction back and tries the process later.
 */
public final class ProcessBusyException extends PostroadException {
  private static final long serialVersionUID = 1L;

  public ProcessBusyException(UUID process) {
    super(
        "another transaction has process %s locked; roll back and try it later".formatted(process));
  }
}
