package io.postroad.example.payments.domain.model;

/** The receiver of a payment. */
public record Beneficiary(String name, String accountNumber, String transitNumber) {
  /** The length of the columns. */
  public static final int MAX_NAME = 100;

  public static final int MAX_ACCOUNT_NUMBER = 34;
  public static final int MAX_TRANSIT_NUMBER = 10;

  public Beneficiary {
    check("name", name, MAX_NAME);
    check("accountNumber", accountNumber, MAX_ACCOUNT_NUMBER);
    check("transitNumber", transitNumber, MAX_TRANSIT_NUMBER);
  }

  private static void check(String what, String value, int most) {
    if (value == null || value.isBlank()) {
      throw new InvalidBeneficiaryException("the beneficiary's %s is required".formatted(what));
    }
    if (value.length() > most) {
      throw new InvalidBeneficiaryException(
          "the beneficiary's %s has more than %d characters".formatted(what, most));
    }
  }
}
