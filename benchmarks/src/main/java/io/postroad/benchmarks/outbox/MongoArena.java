package io.postroad.benchmarks.outbox;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;

/**
 * The resources of a contender on MongoDB in a round.
 *
 * @param client the shared client, which counts commands
 * @param database an empty database for its collections
 * @param orders the business collection, in the same database
 * @param topic the topic of its events
 */
record MongoArena(MongoClient client, MongoDatabase database, MongoOrders orders, Topic topic) {}
