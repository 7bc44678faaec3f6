/**
 * Writes records as maps for any JSON library, and reads them. {@link
 * io.postroad.internal.process.record.RecordMaps} is the way in; {@link
 * io.postroad.internal.process.record.Shapes} finds the {@link
 * io.postroad.internal.process.record.Shape} of each type.
 */
@NullMarked
package io.postroad.internal.process.record;

import org.jspecify.annotations.NullMarked;
