/** The collections of the wiki, each with one class. */
@NullMarked
package io.postroad.example.wiki.store;

import org.jspecify.annotations.NullMarked;
