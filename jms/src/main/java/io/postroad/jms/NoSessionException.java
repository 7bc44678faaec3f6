package io.postroad.jms;

/** There is no session to send or receive with; the message says why. */
final class NoSessionException extends Exception {
  private static final long serialVersionUID = 1L;

  NoSessionException(String why) {
    super(why);
  }
}
