/** What the page on Micronaut shows; only applications that ask for it have its beans. */
@Configuration
@Requires(property = "test.page")
package io.postroad.micronaut.page;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
