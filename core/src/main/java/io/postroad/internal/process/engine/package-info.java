/**
 * Decides how a process continues. {@link io.postroad.internal.process.engine.Engine} is one pure
 * function: a {@link io.postroad.internal.process.engine.ProcessState} and an {@link
 * io.postroad.internal.process.engine.Input} give a {@link
 * io.postroad.internal.process.engine.Result} with the next state, events and effects. Within it, a
 * {@link io.postroad.internal.process.engine.Transition} collects the events: {@link
 * io.postroad.internal.process.engine.Replies} applies replies, {@link
 * io.postroad.internal.process.engine.OperatorAction} the requests of operators; {@link
 * io.postroad.internal.process.engine.Forward} begins steps, {@link
 * io.postroad.internal.process.engine.Backward} undoes them. {@link
 * io.postroad.internal.process.engine.EventApplier} applies an event to a state; {@link
 * io.postroad.internal.process.engine.SafetyRules} holds the decisions on which safety rests.
 */
@NullMarked
package io.postroad.internal.process.engine;

import org.jspecify.annotations.NullMarked;
