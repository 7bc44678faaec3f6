/** Shared code to run and try the examples with {@code bin/example}. */
@NullMarked
package io.postroad.example.kit;

import org.jspecify.annotations.NullMarked;
