/**
 * Draws graphs. {@link io.postroad.internal.process.picture.Picture} holds the shapes of a graph;
 * {@link io.postroad.internal.process.picture.SvgLayout} places them, {@link
 * io.postroad.internal.process.picture.SvgWriter} and {@link
 * io.postroad.internal.process.picture.MermaidWriter} write them.
 */
@NullMarked
package io.postroad.internal.process.picture;

import org.jspecify.annotations.NullMarked;
