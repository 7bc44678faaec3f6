package io.postroad.faults;

import java.util.UUID;

/**
 * A row that a handler wrote.
 *
 * @param number counts the messages of a key, from 1 and without gaps
 * @param before how many rows of its key the handler found
 */
record Effect(UUID message, String key, int number, int before) {}
