/**
 * Finds the methods that handle commands. {@link io.postroad.internal.command.handlers.Discovery}
 * looks for them in beans, {@link io.postroad.internal.command.handlers.Consolidation} keeps one
 * per type, and {@link io.postroad.internal.command.handlers.MethodHandler} calls it.
 */
@NullMarked
package io.postroad.internal.command.handlers;

import org.jspecify.annotations.NullMarked;
