/** Published events. */
@NullMarked
package io.postroad.example.payment.application.event;

import org.jspecify.annotations.NullMarked;
