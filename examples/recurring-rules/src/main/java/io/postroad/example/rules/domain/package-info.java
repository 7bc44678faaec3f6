/** What a recurring rule is; knows nothing of what is around it. */
@NullMarked
package io.postroad.example.rules.domain;

import org.jspecify.annotations.NullMarked;
