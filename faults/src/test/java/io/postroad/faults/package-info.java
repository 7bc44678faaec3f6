/**
 * The crash suite: real servers, relays in processes of their own, and what becomes of messages
 * when any of them is killed or frozen.
 *
 * <p>A test builds a {@link io.postroad.faults.Scene} (database, topic), lets {@link
 * io.postroad.faults.Writers} commit under load, hurts something at a moment that its {@link
 * io.postroad.faults.Seed} decides, waits until the outbox is at rest, and compares what the
 * business table or collection says with what the topic has: {@link io.postroad.faults.Findings}.
 *
 * <p>Relays of the competing outbox run in a {@link io.postroad.faults.RelayProcess}, those of the
 * ordered outbox in a {@link io.postroad.faults.LaneProcess}, which can be told to stand still at a
 * {@link io.postroad.faults.Point} and is killed there: the product has no hooks for it, store and
 * sender are wrapped.
 *
 * <p>On the receiving side, consumers run in a {@link io.postroad.faults.ConsumerProcess} and
 * workers without a broker in a {@link io.postroad.faults.WorkerProcess}. What their handlers
 * wrote, into a table that lets them repeat themselves, is compared with what was sent: {@link
 * io.postroad.faults.EffectFindings}.
 *
 * <p>Each run prints its seed; {@code -Dpostroad.seed=N} makes the same choices again.
 */
@NullMarked
package io.postroad.faults;

import org.jspecify.annotations.NullMarked;
