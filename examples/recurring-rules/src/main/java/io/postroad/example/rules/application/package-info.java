/** The use cases of rules, and the interfaces that they need. */
@NullMarked
package io.postroad.example.rules.application;

import org.jspecify.annotations.NullMarked;
