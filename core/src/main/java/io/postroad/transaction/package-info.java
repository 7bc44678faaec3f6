/**
 * Opens, joins and ends transactions. {@link io.postroad.transaction.Transactions} runs work in a
 * transaction of one database; each store and each framework module brings its own implementation.
 */
@NullMarked
package io.postroad.transaction;

import org.jspecify.annotations.NullMarked;
