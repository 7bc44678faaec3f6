/** What bin/example runs: servers, the application as a process of its own, and checks. */
@NullMarked
package io.postroad.example.payments.run;

import org.jspecify.annotations.NullMarked;
