/** The outbox as every part of the market knows it. */
@NullMarked
package io.postroad.example.market.shared.outbox;

import org.jspecify.annotations.NullMarked;
