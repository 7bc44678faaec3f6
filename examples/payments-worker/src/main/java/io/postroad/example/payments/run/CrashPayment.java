package io.postroad.example.payments.run;

import java.math.BigDecimal;

/** The payments of the crash run: every step of a payment, and every undo of one. */
enum CrashPayment {
  IN_ONE_CURRENCY(Debtor.FUNDED, "1", "1", "USD", false),
  WITH_FX(Debtor.FUNDED, "1", "1.35", "CAD", false),
  WITH_LIMIT(Debtor.LIMITED, "1", "1", "USD", false),
  WITH_LIMIT_AND_FX(Debtor.LIMITED, "1", "1.35", "CAD", false),
  /** Its limit is booked, and released. */
  AT_NO_RATE(Debtor.LIMITED, "1", "2", "CAD", true),
  /** Its contract is made, and unwound. */
  WITHOUT_FUNDS(Debtor.POOR, "1", "1.35", "CAD", true),
  /** Its limit, contract and debit are made, and undone: {@link #REFUSAL}. */
  REFUSED(Debtor.LIMITED, "7", "9.45", "CAD", true);

  /** Who pays. */
  enum Debtor {
    FUNDED,
    LIMITED,
    POOR
  }

  /** Keeps the payments of one kind from being written, after everything else was. */
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

  /** Of what is asked for under this name, now and when it is asked for again. */
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
