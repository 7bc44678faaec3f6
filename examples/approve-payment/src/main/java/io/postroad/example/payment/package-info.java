/** The application of the specification, with Postroad. */
@NullMarked
package io.postroad.example.payment;

import org.jspecify.annotations.NullMarked;
