/**
 * Joins the transactions of Micronaut. {@link
 * io.postroad.micronaut.internal.transaction.MicronautTransactionRunner} runs work in them; {@link
 * io.postroad.micronaut.internal.transaction.MicronautCompletion} runs the actions after a commit.
 */
@NullMarked
package io.postroad.micronaut.internal.transaction;

import org.jspecify.annotations.NullMarked;
