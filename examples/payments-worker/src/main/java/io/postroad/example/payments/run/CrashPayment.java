package io.postroad.example.payments.run;

import java.math.BigDecimal;

/** The payments of the crash run, which use every step and every undo. */
enum CrashPayment {
  IN_ONE_CURRENCY(Debtor.FUNDED, "1", "1", "USD", false),
  WITH_FX(Debtor.FUNDED, "1", "1.35", "CAD", false),
  WITH_LIMIT(Debtor.LIMITED, "1", "1", "USD", false),
  WITH_LIMIT_AND_FX(Debtor.LIMITED, "1", "1.35", "CAD", false),
  /** Books and releases its limit. */
  AT_NO_RATE(Debtor.LIMITED, "1", "2", "CAD", true),
  /** Books and unwinds its contract. */
  WITHOUT_FUNDS(Debtor.POOR, "1", "1.35", "CAD", true),
  /** Makes and undoes its limit, contract and debit: {@link #REFUSAL}. */
  REFUSED(Debtor.LIMITED, "7", "9.45", "CAD", true);

  /** The account that pays. */
  enum Debtor {
    FUNDED,
    LIMITED,
    POOR
  }

  /** Makes the last step of one kind of payment fail. */
  static final String REFUSAL =
      "ALTER TABLE payment ADD CONSTRAINT refused CHECK (debit_amount <> 7)";

  private final Debtor debtor;
  private final BigDecimal debit;
  private final BigDecimal credit;
  private final String currency;
  private final boolean isUndone;

  CrashPayment(Debtor debtor, String debit, String credit, String currency, boolean isUndone) {
    this.debtor = debtor;
    this.debit = new BigDecimal(debit);
    this.credit = new BigDecimal(credit);
    this.currency = currency;
    this.isUndone = isUndone;
  }

  /** Returns the kind for a request name, also when it is repeated. */
  static CrashPayment of(String name) {
    return values()[Math.floorMod(name.hashCode(), values().length)];
  }

  Debtor debtor() {
    return debtor;
  }

  BigDecimal debit() {
    return debit;
  }

  BigDecimal credit() {
    return credit;
  }

  String currency() {
    return currency;
  }

  boolean isUndone() {
    return isUndone;
  }
}
