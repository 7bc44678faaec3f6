/** What a payment is; knows nothing of what is around it. */
@NullMarked
package io.postroad.example.payment.domain;

import org.jspecify.annotations.NullMarked;
