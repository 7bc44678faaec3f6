/**
 * What engines that work in the background are made of: loops, waits, paces, clocks for spans, and
 * texts for errors. For Postroad's own modules and for those who write a transport; applications
 * have no use for it.
 */
@NullMarked
package io.postroad.engine;

import org.jspecify.annotations.NullMarked;
