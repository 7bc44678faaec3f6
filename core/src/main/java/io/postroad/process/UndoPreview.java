package io.postroad.process;

import java.util.Map;

/**
 * A command that a cancellation would send. Immutable.
 *
 * @param step the step that it would undo
 * @param command the type of the command
 * @param payload its payload
 */
public record UndoPreview(String step, String command, Map<String, Object> payload) {}
