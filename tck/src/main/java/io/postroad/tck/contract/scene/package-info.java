/**
 * Helps contracts to set the scene: sample messages, senders that record or fail, relays, dead
 * letters.
 */
@NullMarked
package io.postroad.tck.contract.scene;

import org.jspecify.annotations.NullMarked;
