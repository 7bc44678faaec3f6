/**
 * Contracts of commands: accept, claim, handle, reply, trouble and messages between services.
 * {@link io.postroad.tck.contract.command.CommandScene} is a bus over a store under test.
 */
@NullMarked
package io.postroad.tck.contract.command;

import org.jspecify.annotations.NullMarked;
