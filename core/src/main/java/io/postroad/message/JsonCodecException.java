package io.postroad.message;

/** Thrown when a value cannot be written as JSON, or when JSON text does not fit the class. */
public final class JsonCodecException extends PostroadException {
  private static final long serialVersionUID = 1L;

  public JsonCodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
