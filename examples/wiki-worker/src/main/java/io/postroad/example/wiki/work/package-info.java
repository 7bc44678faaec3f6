/**
 * The way of an edit: the editor stores it with its events, and handlers create the content for
 * readers.
 */
@NullMarked
package io.postroad.example.wiki.work;

import org.jspecify.annotations.NullMarked;
