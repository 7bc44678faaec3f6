package io.postroad.example.rules.infrastructure.cashflow;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.bson.Document;
import org.bson.types.Decimal128;

/** A generated cash change of one date of a rule. */
public record GeneratedCashChange(
    String cashChangeId,
    String ruleId,
    LocalDate date,
    BigDecimal amount,
    String currency,
    String type,
    String categoryName) {

  static GeneratedCashChange of(Document document) {
    Document money = document.get("amount", Document.class);
    return new GeneratedCashChange(
        document.getString("_id"),
        document.getString("ruleId"),
        document.getDate("date").toInstant().atZone(ZoneOffset.UTC).toLocalDate(),
        money.get("amount", Decimal128.class).bigDecimalValue(),
        money.getString("currency"),
        document.getString("type"),
        document.getString("categoryName"));
  }
}
