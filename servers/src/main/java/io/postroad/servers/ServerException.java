package io.postroad.servers;

/** A server or child process could not be had, did not answer, or ended when it should not. */
public final class ServerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ServerException(String message) {
    super(message);
  }

  ServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
