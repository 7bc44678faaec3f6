/**
 * Recognises the tables of teams. {@link io.postroad.internal.layout.ColumnGuess}, {@link
 * io.postroad.internal.layout.StatusGuess} and {@link io.postroad.internal.layout.PayloadGuess}
 * read columns and words, {@link io.postroad.internal.layout.ShippedMatch} finds a shipped layout,
 * {@link io.postroad.internal.layout.Fit} checks the result, {@link
 * io.postroad.internal.layout.AdoptionReport} and {@link io.postroad.internal.layout.LayoutCode}
 * print it.
 */
@NullMarked
package io.postroad.internal.layout;

import org.jspecify.annotations.NullMarked;
