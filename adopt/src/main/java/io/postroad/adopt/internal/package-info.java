/**
 * Recognises the tables of teams. {@link io.postroad.adopt.internal.CatalogShape} and {@link
 * io.postroad.adopt.internal.CollectionShape} read the database. {@link
 * io.postroad.adopt.internal.ShippedMatch} finds a shipped layout; {@link
 * io.postroad.adopt.internal.ColumnGuess}, {@link io.postroad.adopt.internal.StatusGuess} and
 * {@link io.postroad.adopt.internal.PayloadGuess} guess from columns and words. {@link
 * io.postroad.adopt.internal.Fit} checks the result; {@link
 * io.postroad.adopt.internal.AdoptionReport} and {@link io.postroad.adopt.internal.LayoutCode}
 * print it.
 */
@NullMarked
package io.postroad.adopt.internal;

import org.jspecify.annotations.NullMarked;
