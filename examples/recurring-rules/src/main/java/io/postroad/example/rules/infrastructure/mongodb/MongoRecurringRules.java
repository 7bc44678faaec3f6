package io.postroad.example.rules.infrastructure.mongodb;

import io.postroad.example.rules.application.IdempotencyKeyTakenException;
import io.postroad.example.rules.application.RecurringRules;
import io.postroad.example.rules.application.StaleRuleException;
import io.postroad.example.rules.application.UnreadableRuleException;
import io.postroad.example.rules.domain.CashFlowId;
import io.postroad.example.rules.domain.CategoryName;
import io.postroad.example.rules.domain.Execution;
import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.example.rules.domain.RuleStatus;
import io.postroad.example.rules.domain.UserId;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;
import org.springframework.stereotype.Component;

/** Stores rules in the collection {@code recurring_rules}. */
@Component
class MongoRecurringRules implements RecurringRules {
  private static final String IDEMPOTENCY_INDEX = "idx_recurring_rules_idempotency";

  private final RecurringRuleMongoRepository repository;
  private final RecurringRuleCustomRepository custom;

  MongoRecurringRules(
      RecurringRuleMongoRepository repository, RecurringRuleCustomRepository custom) {
    this.repository = repository;
    this.custom = custom;
  }

  @Override
  public void insert(RecurringRule rule, @Nullable RequestKey key) {
    try {
      var unused = repository.insert(RecurringRuleDocument.fromDomain(rule.snapshot(), key));
    } catch (DuplicateKeyException duplicate) {
      if (String.valueOf(duplicate.getMessage()).contains(IDEMPOTENCY_INDEX)) {
        throw new IdempotencyKeyTakenException("the idempotency key is taken");
      }
      throw duplicate;
    }
  }

  @Override
  public void update(RecurringRule rule) {
    if (!custom.updateWithVersion(
        RecurringRuleDocument.fromDomain(rule.snapshot()), rule.version())) {
      throw new StaleRuleException(
          "rule %s is not of version %d any more".formatted(rule.id().id(), rule.version()));
    }
  }

  @Override
  public boolean addExecution(RecurringRuleId rule, LocalDate date, Execution execution) {
    return custom.addExecution(rule.id(), date, ExecutionDocument.from(execution));
  }

  @Override
  public Optional<RecurringRule> find(RecurringRuleId rule) {
    return repository.findById(rule.id()).map(MongoRecurringRules::rule);
  }

  @Override
  public Optional<Keyed> findByIdempotencyKey(String key) {
    return repository
        .findByIdempotencyKey(key)
        .map(each -> new Keyed(rule(each), each.idempotencyRequest()));
  }

  @Override
  public RulePage list(CashFlowId cashFlow, List<RuleStatus> statuses, int page, int size) {
    Pageable wanted = PageRequest.of(page, size, Sort.by("createdAt").descending());
    Page<RecurringRuleDocument> found =
        statuses.size() == 1
            ? repository.findByCashFlowIdAndStatus(cashFlow.id(), statuses.get(0).name(), wanted)
            : repository.findByCashFlowIdAndStatusIn(
                cashFlow.id(), statuses.stream().map(RuleStatus::name).toList(), wanted);
    return new RulePage(rules(found.getContent()), page, size, found.getTotalElements());
  }

  @Override
  public List<RecurringRule> findByCategory(CashFlowId cashFlow, CategoryName category) {
    return rules(
        repository.findByCashFlowIdAndCategoryNameAndStatusNot(
            cashFlow.id(), category.name(), RuleStatus.DELETED.name()));
  }

  @Override
  public long countActive(UserId user) {
    return repository.countByUserIdAndStatus(user.getId(), RuleStatus.ACTIVE.name());
  }

  @Override
  public List<RecurringRuleId> findRulesForExecution(
      LocalDate date, @Nullable RecurringRuleId after, int limit) {
    return ids(custom.findRulesForExecution(date, id(after), limit));
  }

  @Override
  public List<RecurringRuleId> findEndedRules(
      LocalDate date, @Nullable RecurringRuleId after, int limit) {
    return ids(custom.findEndedRules(date, id(after), limit));
  }

  @Override
  public List<RecurringRuleId> findRulesToResume(
      LocalDate date, @Nullable RecurringRuleId after, int limit) {
    return ids(custom.findRulesToResume(date, id(after), limit));
  }

  @Override
  public List<RecurringRuleId> findRulesWithFailedExecutions(int hoursBack) {
    return ids(custom.findIdsWithFailedExecutions(hoursBack));
  }

  private static @Nullable String id(@Nullable RecurringRuleId rule) {
    return rule == null ? null : rule.id();
  }

  private static List<RecurringRuleId> ids(List<String> ids) {
    return ids.stream().map(RecurringRuleId::new).toList();
  }

  private static List<RecurringRule> rules(List<RecurringRuleDocument> documents) {
    return documents.stream().map(MongoRecurringRules::rule).toList();
  }

  /**
   * Reads a document. The validator accepts more than the domain; an error of the domain is then
   * not about a request.
   */
  private static RecurringRule rule(RecurringRuleDocument document) {
    try {
      return RecurringRule.of(document.toDomain());
    } catch (RuntimeException unreadable) {
      throw new UnreadableRuleException(document.id(), unreadable);
    }
  }
}
