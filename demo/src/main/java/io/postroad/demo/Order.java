package io.postroad.demo;

import java.util.UUID;

/**
 * An order; also the body of the event that tells of it.
 *
 * @param number counts the orders of one customer, so that a reader can see their order
 */
record Order(UUID id, String customer, int number, long cents) {}
