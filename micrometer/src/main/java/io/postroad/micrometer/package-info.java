/**
 * Meters and traces of an outbox, an inbox, commands and processes, for Micrometer.
 *
 * <p>Meters are built on the signals of core: each of {@link io.postroad.micrometer.OutboxMeters},
 * {@link io.postroad.micrometer.InboxMeters}, {@link io.postroad.micrometer.CommandMeters} and
 * {@link io.postroad.micrometer.ProcessMeters} is an observer. {@link
 * io.postroad.micrometer.OutboxGauges} polls the store for numbers that no signal has. {@link
 * io.postroad.micrometer.PostroadMeter} has all names.
 */
@NullMarked
package io.postroad.micrometer;

import org.jspecify.annotations.NullMarked;
