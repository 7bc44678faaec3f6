package io.postroad.example.rules.infrastructure.mongodb;

import com.mongodb.client.result.UpdateResult;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.aggregation.AggregationUpdate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.stereotype.Repository;

/** Explicit queries and updates. Thread-safe; each call joins the transaction of the thread. */
@Repository
public class RecurringRuleCustomRepository {
  private final MongoTemplate mongoTemplate;
  private final InstantSource clock;

  public RecurringRuleCustomRepository(MongoTemplate mongoTemplate, InstantSource clock) {
    this.mongoTemplate = mongoTemplate;
    this.clock = clock;
  }

  /** Returns active rules with a date in their period, without an execution on it. */
  public List<RecurringRuleDocument> findRulesForExecution(LocalDate date) {
    return mongoTemplate.find(rulesForExecution(date), RecurringRuleDocument.class);
  }

  /** Returns a page of the ids of {@link #findRulesForExecution(LocalDate)}, in order. */
  List<String> findRulesForExecution(LocalDate date, @Nullable String after, int limit) {
    return page(rulesForExecution(date), after, limit);
  }

  static Query rulesForExecution(LocalDate date) {
    return Query.query(
        Criteria.where("status")
            .is("ACTIVE")
            .and("startDate")
            .lte(date)
            .and("executions." + date)
            .exists(false)
            .orOperator(Criteria.where("endDate").isNull(), Criteria.where("endDate").gte(date)));
  }

  /**
   * Returns active rules that ended before a date. {@link #findRulesForExecution} does not find
   * them, but they may have missed dates, and must be completed.
   */
  List<String> findEndedRules(LocalDate date, @Nullable String after, int limit) {
    return page(endedRules(date), after, limit);
  }

  static Query endedRules(LocalDate date) {
    return Query.query(Criteria.where("status").is("ACTIVE").and("endDate").lt(date));
  }

  List<String> findRulesToResume(LocalDate date, @Nullable String after, int limit) {
    return page(rulesToResume(date), after, limit);
  }

  static Query rulesToResume(LocalDate date) {
    return Query.query(
        Criteria.where("status").is("PAUSED").and("pauseInfo.scheduledResumeDate").lte(date));
  }

  private List<String> page(Query query, @Nullable String after, int limit) {
    return ids(part(query, after, limit));
  }

  /** Limits a query to a page by id, which the index of statuses has in order. */
  static Query part(Query query, @Nullable String after, int limit) {
    if (after != null) {
      query.addCriteria(Criteria.where("_id").gt(after));
    }
    return query.with(Sort.by("_id")).limit(limit);
  }

  private List<String> ids(Query query) {
    query.fields().include("_id");
    return mongoTemplate.find(query, Document.class, RecurringRuleDocument.COLLECTION).stream()
        .map(each -> each.getString("_id"))
        .toList();
  }

  /** Returns active rules with a date that failed in the last hours and was not recovered. */
  public List<RecurringRuleDocument> findRulesWithFailedExecutions(int hoursBack) {
    return mongoTemplate.find(rulesWithFailed(hoursBack), RecurringRuleDocument.class);
  }

  /** Returns the ids of {@link #findRulesWithFailedExecutions}. */
  List<String> findIdsWithFailedExecutions(int hoursBack) {
    return ids(rulesWithFailed(hoursBack));
  }

  private Query rulesWithFailed(int hoursBack) {
    Date since = Date.from(clock.instant().minus(Duration.ofHours(hoursBack)));
    return Query.query(Criteria.where("status").is("ACTIVE").and("lastFailedAt").gte(since));
  }

  /** Stores a rule over a version; returns false if another version is stored. */
  public boolean updateWithVersion(RecurringRuleDocument doc, long expectedVersion) {
    Update update =
        new Update()
            .set("name", doc.name())
            .set("description", doc.description())
            .set("baseAmount", doc.baseAmount())
            .set("categoryName", doc.categoryName())
            .set("recurrencePattern", doc.recurrencePattern())
            .set("endDate", doc.endDate())
            .set("status", doc.status())
            .set("amountChanges", doc.amountChanges())
            .set("executions", doc.executions())
            .set("pauseInfo", doc.pauseInfo())
            .set("dueFrom", doc.dueFrom())
            .set("owed", doc.owed())
            .set("lastFailedAt", doc.lastFailedAt())
            .set("lastModifiedAt", doc.lastModifiedAt())
            .inc("version", 1L);
    UpdateResult result =
        mongoTemplate.updateFirst(
            Query.query(Criteria.where("_id").is(doc.id()).and("version").is(expectedVersion)),
            update,
            RecurringRuleDocument.class);
    return result.getModifiedCount() > 0;
  }

  /**
   * Records the result of a date, unless a success is recorded; returns whether it did. A failure
   * is recorded in an active rule only. The version rises, because {@link #updateWithVersion}
   * writes all executions and would overwrite this one.
   */
  public boolean addExecution(String ruleId, LocalDate date, ExecutionDocument execution) {
    String field = "executions." + date;
    Query query =
        Query.query(
            Criteria.where("_id")
                .is(ruleId)
                .orOperator(
                    Criteria.where(field).exists(false),
                    Criteria.where(field + ".status").is("FAILED")));
    if (execution.status().equals("FAILED")) {
      query.addCriteria(Criteria.where("status").is("ACTIVE"));
    }
    Document noted = new Document();
    mongoTemplate.getConverter().write(execution, noted);
    noted.remove("_class");
    Document first =
        new Document(field, new Document("$literal", noted))
            .append("lastModifiedAt", Date.from(execution.executedAt().toInstant()))
            .append("version", new Document("$add", List.of("$version", 1L)));
    AggregationUpdate update =
        AggregationUpdate.from(
            List.of(
                context -> new Document("$set", first),
                context -> new Document("$set", LastFailure.FIELD)));
    return mongoTemplate
            .updateFirst(query, update, RecurringRuleDocument.COLLECTION)
            .getModifiedCount()
        > 0;
  }
}
