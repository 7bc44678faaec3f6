/** What can be done with rules, and what the application needs for it. */
@NullMarked
package io.postroad.example.rules.application;

import org.jspecify.annotations.NullMarked;
