package io.postroad.benchmarks.outbox;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;

/**
 * What a contender on MongoDB may use in a round.
 *
 * @param client the same for everybody, its commands are counted
 * @param database an empty one for its collections
 * @param orders the business collection, in the same database
 * @param topic where its events go
 */
record MongoArena(MongoClient client, MongoDatabase database, MongoOrders orders, Topic topic) {}
