package io.postroad.example.wiki.web;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.postroad.admin.OutboxAdmin;
import io.postroad.example.wiki.store.OutboxCollection;
import io.postroad.example.wiki.work.DeadLetterKeeper;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.outbox.OutboxWorkers;

/** What those who run the wiki look at. */
public record Operations(
    OutboxCollection outbox,
    OutboxAdmin admin,
    DeadLetterKeeper keeper,
    MongoCompetingStore store,
    OutboxWorkers<?> workers,
    PrometheusMeterRegistry registry) {}
