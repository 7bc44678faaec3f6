/** The code behind bin/example: starts the servers and the application, and tries it. */
@NullMarked
package io.postroad.example.payment.run;

import org.jspecify.annotations.NullMarked;
