/**
 * The contracts, one concern each. A test names the MUST it checks in a comment where the SPI
 * numbers it. Nothing here waits on real time: the fixture's clock is moved, and what happens on
 * other threads is waited for with a bound that only a hang reaches.
 */
@NullMarked
package io.postroad.tck.contract;

import org.jspecify.annotations.NullMarked;
