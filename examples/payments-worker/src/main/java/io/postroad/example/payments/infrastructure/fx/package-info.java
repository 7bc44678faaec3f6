/** Where exchange rates come from. */
@NullMarked
package io.postroad.example.payments.infrastructure.fx;

import org.jspecify.annotations.NullMarked;
