/** The use cases of the application, as interfaces. */
@NullMarked
package io.postroad.example.payment.application.port.in;

import org.jspecify.annotations.NullMarked;
