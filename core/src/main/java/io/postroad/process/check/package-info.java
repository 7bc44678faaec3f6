/**
 * Checks and draws processes before they run. {@link io.postroad.process.check.ProcessValidator}
 * returns {@link io.postroad.process.check.ProcessFinding}s, {@link
 * io.postroad.process.check.ProcessPictures} draws a graph as SVG or Mermaid.
 */
@NullMarked
package io.postroad.process.check;

import org.jspecify.annotations.NullMarked;
