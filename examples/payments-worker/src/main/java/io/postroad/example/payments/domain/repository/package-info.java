/** The repositories of the domain, as interfaces. */
@NullMarked
package io.postroad.example.payments.domain.repository;

import org.jspecify.annotations.NullMarked;
