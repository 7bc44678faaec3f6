package io.postroad.layout;

/** Event with which a table's counter of attempts rises. */
public enum Counting {
  /** Each claim, so that a successful delivery counts, too. */
  AT_CLAIM,
  /** Each failure; an expired lease counts as one when the message is claimed again. */
  AT_FAILURE
}
