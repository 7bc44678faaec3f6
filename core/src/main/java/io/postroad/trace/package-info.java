/**
 * Where a trace learns what happens: APPEND and ACCEPT are a {@code create}, DISPATCH is a {@code
 * send}, HANDLE is a {@code process}, and a process manager takes a {@code step}.
 *
 * <p>What is followed over a transaction, a broker or a day is the {@link
 * io.postroad.message.TraceContext} in the headers of messages and commands: whoever creates one
 * stores it, whoever sends or handles it goes on from there. Nothing is followed unless a {@link
 * io.postroad.trace.Tracing} is given; then nothing costs anything.
 */
@NullMarked
package io.postroad.trace;

import org.jspecify.annotations.NullMarked;
