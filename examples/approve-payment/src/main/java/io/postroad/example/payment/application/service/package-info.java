/** The implementations of the use cases. */
@NullMarked
package io.postroad.example.payment.application.service;

import org.jspecify.annotations.NullMarked;
