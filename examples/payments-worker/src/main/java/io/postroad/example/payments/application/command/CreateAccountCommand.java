package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import io.postroad.example.payments.domain.model.AccountLimitDefinition;
import io.postroad.example.payments.domain.model.AccountType;
import java.util.List;
import java.util.UUID;

/**
 * Opens an account.
 *
 * @param accountId chosen by the client, so that a repeated request opens no second account
 * @param limits the limits of a limit-based account; none for other accounts
 */
public record CreateAccountCommand(
    UUID accountId,
    UUID customerId,
    String currencyCode,
    AccountType accountType,
    String transitNumber,
    boolean limitBased,
    List<AccountLimitDefinition> limits)
    implements DomainCommand {
  public CreateAccountCommand {
    Check.required("accountId", accountId);
    Check.required("customerId", customerId);
    Check.required("currencyCode", currencyCode);
    Check.required("accountType", accountType);
    Check.required("transitNumber", transitNumber);
    limits = limits == null ? List.of() : List.copyOf(limits);
    Check.that(
        limitBased != limits.isEmpty(), "limits are for limit-based accounts, and only there");
    for (AccountLimitDefinition limit : limits) {
      Check.that(
          limit.amount().currencyCode().equals(currencyCode),
          "limits must be in the currency of the account");
    }
  }
}
