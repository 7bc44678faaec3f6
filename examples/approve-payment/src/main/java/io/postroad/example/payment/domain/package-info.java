/** Payments, independent of all other packages. */
@NullMarked
package io.postroad.example.payment.domain;

import org.jspecify.annotations.NullMarked;
