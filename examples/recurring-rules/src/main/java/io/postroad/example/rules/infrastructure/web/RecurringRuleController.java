package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.application.Created;
import io.postroad.example.rules.application.RecurringRuleService;
import io.postroad.example.rules.application.RecurringRules.RulePage;
import io.postroad.example.rules.domain.AmountChangeId;
import io.postroad.example.rules.domain.AmountChangeType;
import io.postroad.example.rules.domain.CashFlowId;
import io.postroad.example.rules.domain.InvalidRuleException;
import io.postroad.example.rules.domain.RecurringRule;
import io.postroad.example.rules.domain.RecurringRuleId;
import io.postroad.example.rules.domain.RuleClock;
import io.postroad.example.rules.domain.RuleStatus;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Creates, changes and shows rules over HTTP. */
@RestController
@RequestMapping(path = "/recurring-rules", produces = MediaType.APPLICATION_JSON_VALUE)
class RecurringRuleController {
  private static final int MAX_SIZE = 100;
  private static final int MAX_PAGE = 1_000_000;

  private final RecurringRuleService service;
  private final RuleClock clock;

  RecurringRuleController(RecurringRuleService service, RuleClock clock) {
    this.service = service;
    this.clock = clock;
  }

  /** Answers 201 for a new rule, and 200 with the rule that the same key created before. */
  @PostMapping
  ResponseEntity<RuleView> create(@RequestBody CreateBody body) {
    Created created = service.create(body.toCommand());
    RuleView view = view(created.rule());
    return created.now()
        ? ResponseEntity.created(URI.create("/recurring-rules/" + view.ruleId())).body(view)
        : ResponseEntity.ok(view);
  }

  @GetMapping("/{ruleId}")
  RuleView get(@PathVariable String ruleId) {
    return view(service.get(new RecurringRuleId(ruleId)));
  }

  /** Lists the rules of a cash flow, the newest first; by default all that are not deleted. */
  @GetMapping
  Page list(
      @RequestParam(required = false) @Nullable String cashFlowId,
      @RequestParam(required = false) @Nullable List<String> status,
      @RequestParam(defaultValue = "0") int page,
      @RequestParam(defaultValue = "20") int size) {
    if (page < 0 || page > MAX_PAGE) {
      throw new InvalidRuleException("page", "must be from 0 to " + MAX_PAGE);
    }
    if (size < 1 || size > MAX_SIZE) {
      throw new InvalidRuleException("size", "must be from 1 to " + MAX_SIZE);
    }
    RulePage found = service.list(new CashFlowId(cashFlowId), statuses(status), page, size);
    return new Page(found.rules().stream().map(this::view).toList(), page, size, found.total());
  }

  private static List<RuleStatus> statuses(@Nullable List<String> given) {
    return given == null || given.isEmpty()
        ? List.of(RuleStatus.ACTIVE, RuleStatus.PAUSED, RuleStatus.COMPLETED)
        : given.stream().map(each -> Fields.oneOf("status", each, RuleStatus.class)).toList();
  }

  @PutMapping("/{ruleId}")
  RuleView update(@PathVariable String ruleId, @RequestBody UpdateBody body) {
    return view(service.update(new RecurringRuleId(ruleId), body.terms(), body.expectedVersion()));
  }

  @PostMapping("/{ruleId}/pause")
  RuleView pause(@PathVariable String ruleId, @RequestBody Pause body) {
    return view(
        service.pause(
            new RecurringRuleId(ruleId),
            body.reason(),
            Fields.optionalDate("scheduledResumeDate", body.scheduledResumeDate())));
  }

  @PostMapping("/{ruleId}/resume")
  RuleView resume(@PathVariable String ruleId) {
    return view(service.resume(new RecurringRuleId(ruleId)));
  }

  @DeleteMapping("/{ruleId}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String ruleId) {
    service.delete(new RecurringRuleId(ruleId));
  }

  @PostMapping("/{ruleId}/amount-changes")
  @ResponseStatus(HttpStatus.CREATED)
  RuleView changeAmount(@PathVariable String ruleId, @RequestBody ChangeAmount body) {
    return view(
        service.changeAmount(
            new RecurringRuleId(ruleId),
            Fields.date("effectiveDate", body.effectiveDate()),
            Fields.oneOf("type", body.type(), AmountChangeType.class),
            Fields.required("newAmount", body.newAmount()).toDomain(),
            body.reason()));
  }

  @DeleteMapping("/{ruleId}/amount-changes/{changeId}")
  RuleView removeAmountChange(@PathVariable String ruleId, @PathVariable String changeId) {
    return view(
        service.removeAmountChange(new RecurringRuleId(ruleId), new AmountChangeId(changeId)));
  }

  private RuleView view(RecurringRule rule) {
    return RuleView.of(rule, clock.today());
  }

  record Page(List<RuleView> rules, int page, int size, long total) {}

  record Pause(@Nullable String reason, @Nullable String scheduledResumeDate) {}

  record ChangeAmount(
      @Nullable String effectiveDate,
      @Nullable String type,
      @Nullable MoneyBody newAmount,
      @Nullable String reason) {}
}
