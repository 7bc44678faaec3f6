/** The HTTP interface. */
@NullMarked
package io.postroad.example.market.app.web;

import org.jspecify.annotations.NullMarked;
