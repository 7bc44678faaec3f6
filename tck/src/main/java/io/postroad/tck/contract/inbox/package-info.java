/** Contracts of the inbox: deduplication, order, the retry line, and handling without a broker. */
@NullMarked
package io.postroad.tck.contract.inbox;

import org.jspecify.annotations.NullMarked;
