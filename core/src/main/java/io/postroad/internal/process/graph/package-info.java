/**
 * Writes graphs as text and walks along them. {@link
 * io.postroad.internal.process.graph.GraphDefinition} is the form that is stored with running
 * processes; {@link io.postroad.internal.process.graph.GraphEdges} and {@link
 * io.postroad.internal.process.graph.GraphPaths} find the ways through a graph.
 */
@NullMarked
package io.postroad.internal.process.graph;

import org.jspecify.annotations.NullMarked;
