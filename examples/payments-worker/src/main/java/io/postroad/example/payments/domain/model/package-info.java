/** Money, accounts, limits, FX contracts and payments: rules without frameworks. */
@NullMarked
package io.postroad.example.payments.domain.model;

import org.jspecify.annotations.NullMarked;
