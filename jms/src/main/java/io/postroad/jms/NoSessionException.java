package io.postroad.jms;

/** Thrown when there is no session to send or receive with. */
final class NoSessionException extends Exception {
  private static final long serialVersionUID = 1L;

  NoSessionException(String why) {
    super(why);
  }
}
