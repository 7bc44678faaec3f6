/** The HTTP API. */
@NullMarked
package io.postroad.example.payments.infrastructure.web;

import org.jspecify.annotations.NullMarked;
