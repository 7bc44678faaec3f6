/**
 * A worker for payments with Postroad, Micronaut, PostgreSQL and a broker, after the guide of a
 * messaging platform.
 */
@NullMarked
package io.postroad.example.payments;

import org.jspecify.annotations.NullMarked;
