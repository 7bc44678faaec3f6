/** The outbox as all parts of the market use it. */
@NullMarked
package io.postroad.example.market.shared.outbox;

import org.jspecify.annotations.NullMarked;
