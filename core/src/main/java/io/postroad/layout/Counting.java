package io.postroad.layout;

/** When a table's counter of attempts rises. */
public enum Counting {
  /** With every claim, so that it counts a delivery that went well too. */
  AT_CLAIM,
  /** With every failure; a lease that expired counts as one when the message is taken again. */
  AT_FAILURE
}
