package io.postroad.example.rules.infrastructure.cashflow;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.postroad.example.rules.application.CashChange;
import io.postroad.example.rules.application.CashFlowPort;
import io.postroad.example.rules.application.CashFlowUnavailableException;
import io.postroad.example.rules.application.Generated;
import io.postroad.example.rules.domain.CashChangeId;
import io.postroad.example.rules.domain.CashFlowId;
import io.postroad.example.rules.domain.Money;
import io.postroad.mongodb.MongoSequence;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/**
 * Represents the cash flow service with the collection {@code cash_changes}, unique by rule and
 * date. Joins no transaction of the rules. Thread-safe.
 */
public final class MongoCashFlow implements CashFlowPort {
  private static final int MAX_LISTED = 1000;

  private final MongoCollection<Document> changes;
  private final MongoSequence ids;
  private final CashFlowAvailability availability;

  MongoCashFlow(MongoDatabase database, CashFlowAvailability availability) {
    this.changes = database.getCollection("cash_changes");
    this.ids = new MongoSequence(database, "cash_change_ids", "cash_change");
    this.availability = availability;
  }

  @Override
  public Generated generate(CashChange change) {
    if (!availability.isAvailable()) {
      throw new CashFlowUnavailableException("CashFlow service unavailable");
    }
    @Nullable Document before = find(change);
    if (before != null) {
      return generated(before);
    }
    Document document = document(change);
    try {
      var unused = changes.insertOne(document);
      return generated(document);
    } catch (MongoWriteException failed) {
      @Nullable Document first = isDuplicate(failed) ? find(change) : null;
      if (first == null) {
        throw failed;
      }
      return generated(first);
    }
  }

  private Document document(CashChange change) {
    return new Document("_id", "CC" + ids.next())
        .append("ruleId", change.ruleId().id())
        .append("date", date(change.date()))
        .append("cashFlowId", change.cashFlowId().id())
        .append("name", change.name().value())
        .append(
            "amount",
            new Document("amount", new Decimal128(change.amount().amount()))
                .append("currency", change.amount().currency()))
        .append("type", change.type().name())
        .append("categoryName", change.categoryName().name());
  }

  private @Nullable Document find(CashChange change) {
    return changes
        .find(
            Filters.and(
                Filters.eq("ruleId", change.ruleId().id()),
                Filters.eq("date", date(change.date()))))
        .first();
  }

  /** Returns the cash changes of a cash flow, the latest dates first. */
  public List<GeneratedCashChange> list(CashFlowId cashFlow) {
    return changes
        .find(Filters.eq("cashFlowId", cashFlow.id()))
        .sort(Sorts.descending("date"))
        .limit(MAX_LISTED)
        .map(GeneratedCashChange::of)
        .into(new ArrayList<>());
  }

  private static boolean isDuplicate(MongoWriteException failed) {
    return failed.getError().getCategory() == ErrorCategory.DUPLICATE_KEY;
  }

  private static Generated generated(Document document) {
    GeneratedCashChange change = GeneratedCashChange.of(document);
    return new Generated(
        new CashChangeId(change.cashChangeId()), Money.of(change.amount(), change.currency()));
  }

  private static Date date(LocalDate date) {
    return Date.from(date.atStartOfDay(ZoneOffset.UTC).toInstant());
  }
}
