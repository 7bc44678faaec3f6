/**
 * Spans for what Postroad does. APPEND and ACCEPT are the operation {@code create}, DISPATCH is
 * {@code send}, HANDLE is {@code process}, and a process manager runs a {@code step}.
 *
 * <p>The {@link io.postroad.message.TraceContext} in the headers connects the spans of different
 * transactions, nodes and days: the node that creates a message or command stores the context, and
 * the node that sends or handles it continues from there. Without a {@link
 * io.postroad.trace.Tracing} no spans are created, at no cost.
 */
@NullMarked
package io.postroad.trace;

import org.jspecify.annotations.NullMarked;
