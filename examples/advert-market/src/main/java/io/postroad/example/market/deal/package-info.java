/** Deals and their changes, without any framework. */
@NullMarked
package io.postroad.example.market.deal;

import org.jspecify.annotations.NullMarked;
