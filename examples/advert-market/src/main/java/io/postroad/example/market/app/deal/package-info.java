/** Deals in the database, and their changes, each in one transaction. */
@NullMarked
package io.postroad.example.market.app.deal;

import org.jspecify.annotations.NullMarked;
