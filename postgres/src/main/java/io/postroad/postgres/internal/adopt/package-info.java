/**
 * Works on the table of a team. {@link io.postroad.postgres.internal.adopt.AdoptedFit} checks that
 * a layout fits, {@link io.postroad.postgres.internal.adopt.AdoptedColumns} makes each column an
 * expression, {@link io.postroad.postgres.internal.adopt.AdoptedSql} writes. {@link
 * io.postroad.postgres.internal.adopt.CatalogShape} shows a table to the recogniser.
 */
@NullMarked
package io.postroad.postgres.internal.adopt;

import org.jspecify.annotations.NullMarked;
