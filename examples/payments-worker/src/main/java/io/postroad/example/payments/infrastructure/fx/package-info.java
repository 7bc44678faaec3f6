/** The source of exchange rates. */
@NullMarked
package io.postroad.example.payments.infrastructure.fx;

import org.jspecify.annotations.NullMarked;
