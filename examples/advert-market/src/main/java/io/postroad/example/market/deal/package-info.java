/** Deals and what may become of them; knows no framework. */
@NullMarked
package io.postroad.example.market.deal;

import org.jspecify.annotations.NullMarked;
