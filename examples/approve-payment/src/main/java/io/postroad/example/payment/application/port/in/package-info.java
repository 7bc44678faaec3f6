/** What can be asked of the application. */
@NullMarked
package io.postroad.example.payment.application.port.in;

import org.jspecify.annotations.NullMarked;
