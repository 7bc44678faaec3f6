/** The application of the specification, over Postroad. */
@NullMarked
package io.postroad.example.payment;

import org.jspecify.annotations.NullMarked;
