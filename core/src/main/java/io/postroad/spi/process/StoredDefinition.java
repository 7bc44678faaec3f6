package io.postroad.spi.process;

/**
 * A definition of a process, as instances run on it. Immutable.
 *
 * @param type of the process
 * @param hash of the graph
 * @param graph the definition, a JSON object
 */
public record StoredDefinition(String type, String hash, String graph) {}
