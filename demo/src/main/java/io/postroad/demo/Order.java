package io.postroad.demo;

import java.util.UUID;

/**
 * An order, which is also the body of its event.
 *
 * @param number counts the orders of one customer, so that a reader can check their order
 */
record Order(UUID id, String customer, int number, long cents) {}
