/** Measures how soon work goes on after a node or the database fails. */
@org.jspecify.annotations.NullMarked
package io.postroad.benchmarks.pickup;
