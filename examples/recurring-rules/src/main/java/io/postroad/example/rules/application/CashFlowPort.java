package io.postroad.example.rules.application;

/** The cash flow service, which another team runs and which can be unavailable. */
public interface CashFlowPort {

  /**
   * Generates the cash change of a rule and date, once: a repeated call returns the first result.
   * Joins no transaction.
   *
   * @throws CashFlowUnavailableException if the service did not answer; the cash change may have
   *     been generated
   */
  Generated generate(CashChange change);
}
