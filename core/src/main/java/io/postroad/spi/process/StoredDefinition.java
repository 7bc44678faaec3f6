package io.postroad.spi.process;

/**
 * A definition that processes run on. Immutable.
 *
 * @param type the type of the process
 * @param hash the hash of the graph
 * @param graph the definition, a JSON object
 */
public record StoredDefinition(String type, String hash, String graph) {}
