package io.postroad.process;

import java.util.Map;

/**
 * A command that a cancellation would send. Immutable.
 *
 * @param step what it would undo
 * @param command its type
 * @param payload what it would be made of
 */
public record UndoPreview(String step, String command, Map<String, Object> payload) {}
