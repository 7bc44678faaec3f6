/**
 * Works on the table of a team. {@link io.postroad.postgres.internal.adopt.AdoptedFit} checks that
 * a layout fits, {@link io.postroad.postgres.internal.adopt.AdoptedDdl} adds columns and indexes.
 * {@link io.postroad.postgres.internal.adopt.AdoptedColumns} makes an expression of each column,
 * and {@link io.postroad.postgres.internal.adopt.AdoptedSql} makes statements of these.
 */
@NullMarked
package io.postroad.postgres.internal.adopt;

import org.jspecify.annotations.NullMarked;
