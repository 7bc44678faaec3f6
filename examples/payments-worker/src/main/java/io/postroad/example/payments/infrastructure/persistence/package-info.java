/** The repositories with JDBC, in the transactions of Micronaut Data. */
@NullMarked
package io.postroad.example.payments.infrastructure.persistence;

import org.jspecify.annotations.NullMarked;
