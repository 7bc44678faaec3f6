package io.postroad.framework.internal.operate;

/** Refuses a request to the management endpoint; nothing was changed. */
public final class OperationRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  OperationRefusedException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Returns the HTTP status: 400, or 403 where changes are switched off. */
  public int status() {
    return status;
  }
}
