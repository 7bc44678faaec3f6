package io.postroad.message;

/** A value could not be written as JSON, or JSON did not fit the wanted class. */
public final class JsonCodecException extends PostroadException {
  private static final long serialVersionUID = 1L;

  public JsonCodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
