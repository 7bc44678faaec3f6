/** The HTTP interface. */
@NullMarked
package io.postroad.example.payment.infrastructure.adapter.in.web;

import org.jspecify.annotations.NullMarked;
