/** The application: Spring Boot, jOOQ, Postroad. */
@NullMarked
package io.postroad.example.market.app;

import org.jspecify.annotations.NullMarked;
