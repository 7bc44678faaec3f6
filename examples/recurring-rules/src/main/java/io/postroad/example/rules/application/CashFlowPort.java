package io.postroad.example.rules.application;

import io.postroad.example.rules.domain.CashChangeId;

/** The cash flow service, which is somebody else's and can be away. */
public interface CashFlowPort {

  /**
   * Generates what a rule moves on a date, once: asked again for the same rule and date, it answers
   * with the same id. Not part of any transaction.
   *
   * @throws CashFlowUnavailableException when it did not answer; it may have been generated
   */
  CashChangeId generate(CashChange change);
}
