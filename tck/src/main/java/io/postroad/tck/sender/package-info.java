/** Contracts for senders: extend one in a test and give it a broker. */
@NullMarked
package io.postroad.tck.sender;

import org.jspecify.annotations.NullMarked;
