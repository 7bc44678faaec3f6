/** The interfaces that the application needs. */
@NullMarked
package io.postroad.example.payment.application.port.out;

import org.jspecify.annotations.NullMarked;
