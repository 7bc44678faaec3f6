package io.postroad.example.wiki.web;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.postroad.admin.OutboxAdmin;
import io.postroad.example.wiki.store.OutboxCollection;
import io.postroad.example.wiki.work.DeadLetterSweeper;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.outbox.OutboxWorkers;

/** The tools for operators of the wiki. */
public record Operations(
    OutboxCollection outbox,
    OutboxAdmin admin,
    DeadLetterSweeper sweeper,
    MongoCompetingStore store,
    OutboxWorkers<?> workers,
    PrometheusMeterRegistry registry) {}
