/**
 * Contracts of the decisions of operators: dead letters, replay, parked keys, pauses, audit,
 * doctor.
 */
@NullMarked
package io.postroad.tck.contract.admin;

import org.jspecify.annotations.NullMarked;
