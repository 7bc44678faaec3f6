/** The HTTP interface. */
@NullMarked
package io.postroad.example.rules.infrastructure.web;

import org.jspecify.annotations.NullMarked;
