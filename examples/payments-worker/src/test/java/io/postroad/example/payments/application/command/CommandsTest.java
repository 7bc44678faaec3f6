package io.postroad.example.payments.application.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.example.payments.domain.model.AccountLimitDefinition;
import io.postroad.example.payments.domain.model.AccountType;
import io.postroad.example.payments.domain.model.Beneficiary;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.TransactionType;
import io.postroad.jackson.JacksonJsonCodec;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Commands refuse invalid fields, and are restored from JSON completely. */
class CommandsTest {
  private final UUID id = UUID.randomUUID();

  @Test
  @SuppressWarnings("NullAway") // JSON may contain null
  void anAccountNeedsACustomer() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CreateAccountCommand(
                    id, null, "USD", AccountType.CHECKING, "001", false, List.of()))
        .withMessage("customerId is required");
  }

  @Test
  void onlyLimitBasedAccountsHaveLimits() {
    AccountLimitDefinition limit =
        new AccountLimitDefinition(TransactionType.DEBIT, Money.of(1, "USD"));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CreateAccountCommand(
                    id, id, "USD", AccountType.CHECKING, "001", true, List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CreateAccountCommand(
                    id, id, "USD", AccountType.CHECKING, "001", false, List.of(limit)));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CreateAccountCommand(
                    id, id, "EUR", AccountType.CHECKING, "001", true, List.of(limit)));
  }

  @Test
  void anAmountMustBePositive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BookLimitsCommand(id, id, TransactionType.DEBIT, Money.zero("USD")))
        .withMessage("amount must be positive");
  }

  @Test
  void aPaymentIsRestoredFromJsonCompletely() {
    CreatePaymentCommand command =
        new CreatePaymentCommand(
            id,
            id,
            Money.of(100, "EUR"),
            Money.of(125, "USD"),
            LocalDate.of(2026, 11, 30),
            new Beneficiary("Ada", "DE1", "002"),
            Optional.of(id));
    String json = JacksonJsonCodec.create().encode(command);
    assertThat(JacksonJsonCodec.create().decode(json, CreatePaymentCommand.class))
        .isEqualTo(command);
    assertThat(json).contains("\"debitAmount\":{\"amount\":100.0000,\"currencyCode\":\"EUR\"}");
  }
}
