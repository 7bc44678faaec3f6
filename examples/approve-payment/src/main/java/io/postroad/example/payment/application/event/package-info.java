/** What others are told. */
@NullMarked
package io.postroad.example.payment.application.event;

import org.jspecify.annotations.NullMarked;
