/**
 * Talks to the server. {@link io.postroad.mongodb.internal.client.Database} opens collections with
 * the concerns that the stores need, {@link io.postroad.mongodb.internal.client.MongoTransactions}
 * opens transactions for services without a framework, {@link
 * io.postroad.mongodb.internal.client.Snapshots} reads at one moment, {@link
 * io.postroad.mongodb.internal.client.ServerTime} is the clock of the database. {@link
 * io.postroad.mongodb.internal.client.MongoErrors} says which errors mean what; {@link
 * io.postroad.mongodb.internal.client.SignalDocument} wakes other nodes.
 */
@NullMarked
package io.postroad.mongodb.internal.client;

import org.jspecify.annotations.NullMarked;
