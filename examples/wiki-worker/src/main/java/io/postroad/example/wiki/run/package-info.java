/** The code behind bin/example: starts MongoDB and the application, and tries it. */
@NullMarked
package io.postroad.example.wiki.run;

import org.jspecify.annotations.NullMarked;
