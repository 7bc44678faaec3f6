/** Deals in the database, and what is done with them in one transaction. */
@NullMarked
package io.postroad.example.market.app.deal;

import org.jspecify.annotations.NullMarked;
