/** What the application asks for. */
@NullMarked
package io.postroad.example.payment.application.port.out;

import org.jspecify.annotations.NullMarked;
