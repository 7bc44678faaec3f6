package io.postroad.example.payments.infrastructure.web;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.DuplicateCommandException;
import io.postroad.command.IdempotencyKeys;
import io.postroad.example.payments.application.command.CreateTransactionCommand;
import io.postroad.example.payments.domain.model.Account;
import io.postroad.example.payments.domain.model.AccountLimit;
import io.postroad.example.payments.domain.model.AccountLimitDefinition;
import io.postroad.example.payments.domain.model.AccountType;
import io.postroad.example.payments.domain.model.Transaction;
import io.postroad.example.payments.domain.model.TransactionType;
import io.postroad.example.payments.domain.repository.AccountLimitRepository;
import io.postroad.example.payments.domain.repository.AccountRepository;
import io.postroad.example.payments.orchestration.CreateAccountProcessDefinition;
import io.postroad.message.JsonCodec;
import java.net.URI;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Opens accounts, deposits money and shows accounts. */
@Controller("/accounts")
@ExecuteOn(TaskExecutors.BLOCKING)
final class AccountController {
  private static final int MAX_LIMITS = 10;
  private static final long ANSWER_WITHIN_SECONDS = 30;

  private final Processes processes;
  private final CommandBus<Connection> bus;
  private final JsonCodec codec;
  private final AccountRepository accounts;
  private final AccountLimitRepository limits;

  AccountController(
      Processes processes,
      CommandBus<Connection> bus,
      JsonCodec codec,
      AccountRepository accounts,
      AccountLimitRepository limits) {
    this.processes = processes;
    this.bus = bus;
    this.codec = codec;
    this.accounts = accounts;
    this.limits = limits;
  }

  /** Starts the process that opens an account, which exists when the process has SUCCEEDED. */
  @Post
  HttpResponse<Map<String, Object>> open(@Nullable @Body String body) {
    Fields fields = Fields.of(body);
    UUID accountId = fields.idOrNew("accountId");
    String currency = fields.currency("currencyCode");
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("accountId", accountId);
    data.put("customerId", fields.id("customerId"));
    data.put("currencyCode", currency);
    data.put("accountType", fields.one("accountType", AccountType.class));
    data.put("transitNumber", fields.text("transitNumber", 10));
    boolean limitBased = fields.flag("limitBased");
    data.put("limitBased", limitBased);
    List<AccountLimitDefinition> definitions =
        fields.objects("limits", MAX_LIMITS).stream()
            .map(
                each ->
                    new AccountLimitDefinition(
                        each.one("transactionType", TransactionType.class),
                        each.amount("amount", currency)))
            .toList();
    if (limitBased == definitions.isEmpty()) {
      throw ProblemException.invalid(
          "limits", limitBased ? "is missing" : "is for limit-based accounts only");
    }
    data.put("limits", definitions);
    UUID processId =
        processes.start(
            CreateAccountProcessDefinition.TYPE,
            "accountId",
            accountId,
            data,
            () -> accounts.findById(accountId).isPresent());
    return HttpResponse.<Map<String, Object>>accepted(URI.create("/processes/" + processId))
        .body(Map.of("accountId", accountId, "processId", processId));
  }

  /**
   * Deposits money. It changes one aggregate and has nothing to undo, so a command is enough, and
   * its reply is the answer.
   */
  @Post("/{accountId}/deposits")
  HttpResponse<Map<String, Object>> deposit(String accountId, @Nullable @Body String body)
      throws InterruptedException, ExecutionException {
    Account account = known(accountId);
    Fields fields = Fields.of(body);
    UUID bookingId = fields.idOrNew("bookingId");
    CreateTransactionCommand command =
        new CreateTransactionCommand(
            account.getAccountId(),
            bookingId,
            TransactionType.CREDIT,
            fields.amount("amount", account.getCurrencyCode()),
            fields.has("description") ? fields.text("description", 200) : "Deposit");
    CommandReply reply = submitted(command);
    if (reply instanceof CommandReply.Completed completed) {
      Map<String, Object> answer = new LinkedHashMap<>(completed.data());
      answer.put("bookingId", bookingId);
      return HttpResponse.created(answer);
    }
    throw ProblemException.conflict("amount", "was not booked: " + error(reply));
  }

  private static String error(CommandReply reply) {
    return reply instanceof CommandReply.Failed failed ? failed.error() : "it timed out";
  }

  private CommandReply submitted(CreateTransactionCommand command)
      throws InterruptedException, ExecutionException {
    try {
      return bus.submit(
              CommandRequest.of(
                  "CreateTransaction",
                  IdempotencyKeys.request("deposit " + command.bookingId()),
                  command.accountId().toString(),
                  codec.encode(command)))
          .get(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS);
    } catch (DuplicateCommandException other) {
      throw ProblemException.conflict("bookingId", "is that of another deposit");
    } catch (TimeoutException late) {
      throw new ProblemException(
          HttpStatus.GATEWAY_TIMEOUT,
          "bookingId",
          command.bookingId() + " is on its way; send it again to hear how it ended");
    }
  }

  @Get("/{accountId}")
  Map<String, Object> show(String accountId) {
    Account account = known(accountId);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("accountId", account.getAccountId());
    answer.put("customerId", account.getCustomerId());
    answer.put("accountNumber", account.getAccountNumber());
    answer.put("accountType", account.getAccountType());
    answer.put("limitBased", account.isLimitBased());
    answer.put("currencyCode", account.getCurrencyCode());
    answer.put("availableBalance", account.getAvailableBalance().amount());
    answer.put(
        "transactions", account.getTransactions().stream().map(AccountController::shown).toList());
    answer.put(
        "limits",
        limits.findByAccountId(account.getAccountId()).stream()
            .map(AccountController::shown)
            .toList());
    return answer;
  }

  private static Map<String, Object> shown(Transaction transaction) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("transactionId", transaction.transactionId());
    answer.put("transactionTime", transaction.transactionTime().toString());
    answer.put("transactionType", transaction.transactionType());
    answer.put("amount", transaction.amount().amount());
    answer.put("description", transaction.description());
    answer.put("balanceAfter", transaction.balanceAfter().amount());
    return answer;
  }

  private static Map<String, Object> shown(AccountLimit limit) {
    return Map.of(
        "limitId", limit.limitId(),
        "transactionType", limit.transactionType(),
        "limitAmount", limit.limitAmount().amount(),
        "utilizedAmount", limit.utilizedAmount().amount());
  }

  private Account known(String accountId) {
    UUID id = Fields.pathId("accountId", accountId);
    return accounts
        .findById(id)
        .orElseThrow(() -> ProblemException.unknown("accountId", "is not known"));
  }
}
