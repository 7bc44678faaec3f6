/**
 * Describes stored things as values: messages and their status, dead letters and their filter,
 * decisions of operators and their audit, backlog, findings. Stores return them, and applications
 * and operators read them.
 */
@NullMarked
package io.postroad.store;

import org.jspecify.annotations.NullMarked;
