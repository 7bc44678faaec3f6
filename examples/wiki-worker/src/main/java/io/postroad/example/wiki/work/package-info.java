/**
 * What happens to an edit: it is stored with its events, and handlers make of them what readers
 * see.
 */
@NullMarked
package io.postroad.example.wiki.work;

import org.jspecify.annotations.NullMarked;
