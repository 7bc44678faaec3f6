package io.postroad.example.rules.application;

/** The cash flow service, which is somebody else's and can be away. */
public interface CashFlowPort {

  /**
   * Generates what a rule moves on a date, once: asked again for the same rule and date, it answers
   * with what it generated first. Not part of any transaction.
   *
   * @throws CashFlowUnavailableException when it did not answer; it may have been generated
   */
  Generated generate(CashChange change);
}
