/** What the domain wants of its storage. */
@NullMarked
package io.postroad.example.payments.domain.repository;

import org.jspecify.annotations.NullMarked;
