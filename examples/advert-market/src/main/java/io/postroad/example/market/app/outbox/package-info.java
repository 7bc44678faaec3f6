/** The outbox of the market in its own table, run by Postroad. */
@NullMarked
package io.postroad.example.market.app.outbox;

import org.jspecify.annotations.NullMarked;
