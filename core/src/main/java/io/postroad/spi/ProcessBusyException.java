package io.postroad.spi;

import io.postroad.message.PostroadException;
import java.util.UUID;

/**
 * Thrown by {@link ProcessStore#lockNow}: another transaction has the process locked. Nothing was
 * written; the transaction can only be rolled back, and the process is left for later.
 */
public final class ProcessBusyException extends PostroadException {
  private static final long serialVersionUID = 1L;

  /** Another transaction has this process locked. */
  public ProcessBusyException(UUID process) {
    super(
        "another transaction has process %s locked; roll back and try it later".formatted(process));
  }
}
