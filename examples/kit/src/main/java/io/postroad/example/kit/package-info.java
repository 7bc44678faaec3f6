/** What all examples need to be run and tried by {@code bin/example}. */
@NullMarked
package io.postroad.example.kit;

import org.jspecify.annotations.NullMarked;
