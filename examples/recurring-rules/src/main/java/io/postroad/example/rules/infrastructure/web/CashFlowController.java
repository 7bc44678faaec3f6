package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.application.RecurringRuleService;
import io.postroad.example.rules.domain.CashFlowId;
import io.postroad.example.rules.domain.CategoryName;
import io.postroad.example.rules.domain.UserId;
import io.postroad.example.rules.infrastructure.cashflow.CashFlowAvailability;
import io.postroad.example.rules.infrastructure.cashflow.GeneratedCashChange;
import io.postroad.example.rules.infrastructure.cashflow.MongoCashFlow;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Changes all rules of a cash flow or a user, and controls the cash flow service of the example.
 */
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class CashFlowController {
  private final RecurringRuleService service;
  private final MongoCashFlow cashFlow;
  private final CashFlowAvailability availability;

  CashFlowController(
      RecurringRuleService service, MongoCashFlow cashFlow, CashFlowAvailability availability) {
    this.service = service;
    this.cashFlow = cashFlow;
    this.availability = availability;
  }

  /** Renames a category in all its rules. */
  @PutMapping("/cash-flows/{cashFlowId}/categories/{categoryName}")
  Changed rename(
      @PathVariable String cashFlowId,
      @PathVariable String categoryName,
      @RequestBody Rename body) {
    CategoryName to = new CategoryName(body.newName());
    return new Changed(
        service.renameCategory(new CashFlowId(cashFlowId), new CategoryName(categoryName), to));
  }

  @DeleteMapping("/cash-flows/{cashFlowId}/categories/{categoryName}")
  Changed remove(@PathVariable String cashFlowId, @PathVariable String categoryName) {
    return new Changed(
        service.removeCategory(new CashFlowId(cashFlowId), new CategoryName(categoryName)));
  }

  @GetMapping("/cash-flows/{cashFlowId}/cash-changes")
  List<GeneratedCashChange> generated(@PathVariable String cashFlowId) {
    return cashFlow.list(new CashFlowId(cashFlowId));
  }

  @GetMapping("/users/{userId}/recurring-rules/count")
  Count count(@PathVariable String userId) {
    return new Count(service.countActive(UserId.of(userId)));
  }

  /** Makes the cash flow service available or unavailable. */
  @PutMapping("/cash-flow-service")
  Availability available(@RequestBody Availability body) {
    availability.setAvailable(Fields.required("available", body.available()));
    return body;
  }

  record Rename(@Nullable String newName) {}

  record Changed(int rules) {}

  record Count(long active) {}

  record Availability(@Nullable Boolean available) {}
}
