package io.postroad.command;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A command that can be carried: see {@link CommandBus#carry}. For the thread and the transaction
 * that it was asked for.
 *
 * @param node that carries it
 * @param leaseFor how long it has to be left to that node from now, at least
 * @param begin has it begin after the commit, and returns its id; once, in the same transaction
 */
public record Carrying(String node, Duration leaseFor, Supplier<UUID> begin) {}
