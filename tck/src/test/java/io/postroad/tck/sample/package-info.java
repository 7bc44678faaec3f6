/** Holds the sample of {@code docs/extend/write-a-store.md}. */
@NullMarked
package io.postroad.tck.sample;

import org.jspecify.annotations.NullMarked;
