/**
 * The outbox benchmark: the same work for every contender, on the same servers, in turns. A {@code
 * Contender} is one way to do the work: it enqueues events with their business rows, and relays
 * committed events. A {@code Measure} measures a contender in a {@code Round}, which has a new
 * contender and empty tables. An {@code Entrant} has a name and guarantees. {@code Turns} runs the
 * rounds of a measure in the order A B, B A, A B, ... so that a machine that gets slower or faster
 * affects all contenders alike. In every round a {@code Tap} reads the topic from its start and
 * passes all events to the {@code Verifier}, which counts lost, duplicated and reordered events. A
 * {@code Meter} reads the costs in the database. A {@code Scoreboard} collects the figures, and a
 * {@code Report} compares and prints them.
 *
 * <p>To add a contender, write its class and name it in {@code Entrant}; a measure, in {@code
 * Programme}.
 */
@NullMarked
package io.postroad.benchmarks.outbox;

import org.jspecify.annotations.NullMarked;
