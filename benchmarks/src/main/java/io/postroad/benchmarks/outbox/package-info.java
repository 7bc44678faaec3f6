/**
 * The outbox benchmark: the same work for every contender, on the same servers, in turns.
 *
 * <ul>
 *   <li>A {@code Contender} is one way to do the work: enqueue one event with its business row, and
 *       relay what is committed. Each round gets a new one on empty tables.
 *   <li>A {@code Measure} is one question asked of a contender in a {@code Round}.
 *   <li>{@code Entrant} names who takes part and what they promise.
 *   <li>{@code Turns} runs the rounds of a measure: A B, B A, A B, ... so that a machine that gets
 *       slower or faster meanwhile does so for everybody.
 *   <li>A {@code Tap} reads the topic from its start in every round and hands all that arrives to
 *       the {@code Verifier}, which counts what is lost, doubled and out of order.
 *   <li>A {@code Meter} reads what the database has spent meanwhile.
 *   <li>A {@code Scoreboard} keeps the figures; a {@code Report} compares and prints them.
 * </ul>
 *
 * <p>To add a contender, write its class and name it in {@code Entrant}; a measure, in {@code
 * Programme}.
 */
@NullMarked
package io.postroad.benchmarks.outbox;

import org.jspecify.annotations.NullMarked;
