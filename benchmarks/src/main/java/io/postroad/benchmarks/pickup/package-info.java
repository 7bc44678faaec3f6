/** Measures how soon work continues after a node or the database fails. */
@org.jspecify.annotations.NullMarked
package io.postroad.benchmarks.pickup;
