@NullMarked
package io.postroad.tck;

import org.jspecify.annotations.NullMarked;
